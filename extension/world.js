"use strict";
if (globalThis.home !== document) {
globalThis.home = document;
(() => {
// The page's DOM, read through accessors taken from prototypes once: a form or document whose parts are named
// like DOM properties ("DOM clobbering") overrides its own properties even in an isolated world.

const getter = (owner, property) => Object.getOwnPropertyDescriptor(owner.prototype, property).get;

const typeOf = getter(Node, 'nodeType');
const parentOf = getter(Node, 'parentNode');
const firstOf = getter(Node, 'firstChild');
const nextOf = getter(Node, 'nextSibling');
const previousOf = getter(Node, 'previousSibling');
const baseOf = getter(Node, 'baseURI');
const connectedOf = getter(Node, 'isConnected');
const textOf = getter(Node, 'textContent');
const dataOf = getter(CharacterData, 'data');
const localOf = getter(Element, 'localName');
const shadowOf = getter(Element, 'shadowRoot');
const slotOf = getter(Element, 'assignedSlot');
const firstElementOf = getter(Element, 'firstElementChild');
const fragmentFirstOf = getter(DocumentFragment, 'firstElementChild');
const nextElementOf = getter(Element, 'nextElementSibling');
const previousElementOf = getter(Element, 'previousElementSibling');
const clientWidthOf = getter(Element, 'clientWidth');
const clientHeightOf = getter(Element, 'clientHeight');
const clientLeftOf = getter(Element, 'clientLeft');
const clientTopOf = getter(Element, 'clientTop');
const scrollWidthOf = getter(Element, 'scrollWidth');
const scrollHeightOf = getter(Element, 'scrollHeight');
const scrollLeftOf = getter(Element, 'scrollLeft');
const scrollTopOf = getter(Element, 'scrollTop');
const innerTextOf = getter(HTMLElement, 'innerText');
const offsetWidthOf = getter(HTMLElement, 'offsetWidth');
const offsetHeightOf = getter(HTMLElement, 'offsetHeight');
const hostOf = getter(ShadowRoot, 'host');
const rootElementOf = getter(Document, 'documentElement');
const scrollingOf = getter(Document, 'scrollingElement');
const fullscreenOf = getter(Document, 'fullscreenElement');
const titleOf = getter(Document, 'title');
const addressOf = getter(Document, 'URL');
const formActionOf = getter(HTMLFormElement, 'action');
const formMethodOf = getter(HTMLFormElement, 'method');
const formPartsOf = getter(HTMLFormElement, 'elements');

const { getRootNode, contains } = Node.prototype;
const { getAttribute, hasAttribute, hasAttributes, getAttributeNames, matches, closest, getBoundingClientRect,
        checkVisibility } = Element.prototype;
const { assignedNodes } = HTMLSlotElement.prototype;
const { getElementsByTagName } = Element.prototype;
const findAll = { document: Document.prototype.querySelectorAll, fragment: DocumentFragment.prototype.querySelectorAll,
                  element: Element.prototype.querySelectorAll };
const activeOf = { document: getter(Document, 'activeElement'), fragment: getter(ShadowRoot, 'activeElement') };
const atPoint = { document: Document.prototype.elementFromPoint, fragment: ShadowRoot.prototype.elementFromPoint };
const byId = { document: Document.prototype.getElementById, fragment: DocumentFragment.prototype.getElementById };

const ELEMENT = 1, TEXT = 3, DOCUMENT = 9, FRAGMENT = 11;
const styleOf = getComputedStyle;
const page = document;

const attr = (el, name) => getAttribute.call(el, name);
const has = (el, name) => hasAttribute.call(el, name);
// These have properties of their own that are read here. In another namespace (SVG) the same word means nothing.
const HTML_TAGS = new Set(['frame', 'iframe', 'input', 'option', 'select', 'slot', 'table', 'textarea']);
const tagOf = el => {
  const tag = localOf.call(el);
  return HTML_TAGS.has(tag) && !(el instanceof HTMLElement) ? 'foreign:' + tag : tag;
};
const isOn = (el, name) => { const value = attr(el, name); return value !== null && value.toLowerCase() === 'true'; };
// The tab index an author gave, or NaN.
const tabStop = el => { const value = attr(el, 'tabindex'); return value === null ? NaN : parseInt(value, 10); };
const kindOf = node => ({ [DOCUMENT]: 'document', [FRAGMENT]: 'fragment' })[typeOf.call(node)] || 'element';
const queryAll = (root, selector) => findAll[kindOf(root)].call(root, selector);
const firstElementIn = root => kindOf(root) === 'fragment' ? fragmentFirstOf.call(root) : firstElementOf.call(root);
const elementById = (root, id) => kindOf(root) === 'element' ? null : byId[kindOf(root)].call(root, id);

// Identity, and what the engine has told us. Weak, so that the page's memory is never held.
const ids = new WeakMap();
const elements = new Map();
const closedRoots = new WeakMap();
const askedHosts = new WeakSet();
const clickables = new WeakSet();
const oncePassword = new WeakSet();
let lastId = 0;
let nextSweep = 20000;

function idOf(el) {
  let id = ids.get(el);
  if (id === undefined) {
    id = ++lastId;
    ids.set(el, id);
    elements.set(id, new WeakRef(el));
    if (elements.size > nextSweep) sweep();
  }
  return id;
}

// A sweep now and then is far cheaper than a finalizer for each element.
function sweep() {
  for (const [id, reference] of elements) if (!reference.deref()) elements.delete(id);
  nextSweep = Math.max(20000, elements.size * 2);
}

function elementOf(id) {
  const reference = elements.get(id);
  return (reference && reference.deref()) || null;
}

const rootOf = el => shadowOf.call(el) || closedRoots.get(el) || null;

// The parent in the flat tree: slot before host before DOM parent.
function flatParent(el) {
  const slot = typeOf.call(el) === ELEMENT ? slotOf.call(el) : null;
  if (slot) return slot;
  const parent = parentOf.call(el);
  if (!parent) return null;
  const type = typeOf.call(parent);
  if (type === FRAGMENT) return parent instanceof ShadowRoot ? hostOf.call(parent) : null;
  return type === ELEMENT ? parent : null;
}

// Children in the flat tree: the first of them, or for a filled slot all in an array.
function flatFirst(el, tag) {
  const root = rootOf(el);
  if (root) return firstOf.call(root);
  if (tag === 'slot') {
    const assigned = assignedNodes.call(el);
    if (assigned.length) return assigned;
  }
  return firstOf.call(el);
}

const MAX_DATA = 20000;
const textData = node => {
  const data = dataOf.call(node);
  return data.length > MAX_DATA ? data.slice(0, MAX_DATA) : data;
};
// White space without the zero-width U+FEFF, which Python shows as what it is.
const SPACES = /[^\S\ufeff]+/g, RUN_OF_SPACES = /[^\S \ufeff]|  /;
function squash(text) {
  const even = RUN_OF_SPACES.test(text) ? text.replace(SPACES, ' ') : text;
  const from = even.charCodeAt(0) === 32 ? 1 : 0;
  const to = even.length > from && even.charCodeAt(even.length - 1) === 32 ? even.length - 1 : even.length;
  return from === 0 && to === even.length ? even : even.slice(from, to);
}

const isSpace = code => code <= 32 || code === 160;
function isWhite(text) {
  for (let i = 0; i < text.length; i += 1) if (!isSpace(text.charCodeAt(i))) return false;
  return true;
}

function cut(text, limit) {
  if (text.length <= limit) return text;
  // Never between the halves of a surrogate pair: half a character is no valid JSON text for Python.
  const end = /[\uD800-\uDBFF]/.test(text[limit - 2]) ? limit - 2 : limit - 1;
  return text.slice(0, end) + '\u2026';
}

// A DOMRect as plain edges; a getter on a DOMRect costs a call each.
function edges(rect) {
  const l = rect.left, t = rect.top;
  return { l, t, r: l + rect.width, b: t + rect.height };
}
const boxOf = el => edges(getBoundingClientRect.call(el));

// Roles as Chromium computes them, except that `image` is `img` and that native date, time, colour and file inputs
// have names of their own.

const wordSet = text => new Set(text.trim().split(/\s+/));

const ROLES = wordSet(`alert alertdialog application article banner blockquote button caption cell checkbox code
  columnheader combobox comment complementary contentinfo definition deletion dialog document emphasis feed figure
  form generic grid gridcell group heading img insertion link list listbox listitem log main mark marquee math menu
  menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph progressbar radio
  radiogroup region row rowgroup rowheader scrollbar search searchbox sectionfooter sectionheader separator slider
  spinbutton status strong subscript suggestion superscript switch tab table tablist tabpanel term textbox time timer
  toolbar tooltip tree treegrid treeitem graphics-document graphics-object graphics-symbol
  doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry doc-bibliography
  doc-biblioref doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication doc-endnote
  doc-endnotes doc-epigraph doc-epilogue doc-errata doc-example doc-footnote doc-foreword doc-glossary doc-glossref
  doc-index doc-introduction doc-noteref doc-notice doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part
  doc-preface doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc`);
const SYNONYMS = { image: 'img', presentation: 'none', directory: 'list' };

const INTERACTIVE_ROLES = wordSet(`button link checkbox radio textbox searchbox combobox listbox option menuitem
  menuitemcheckbox menuitemradio tab switch slider spinbutton treeitem doc-backlink doc-biblioref doc-glossref
  doc-noteref`);

const INPUT_ROLES = {
  button: 'button', submit: 'button', reset: 'button', image: 'button', checkbox: 'checkbox', radio: 'radio',
  range: 'slider', number: 'spinbutton', search: 'searchbox', date: 'date', 'datetime-local': 'datetime',
  month: 'month', week: 'week', time: 'time', color: 'color', file: 'file', hidden: '',
};

// Owned elements lose their meaning where the owner is presentational, and mean nothing outside of it.
const LIST_OWNERS = wordSet('ul ol menu dir');
const GLOBAL_ARIA = `[aria-atomic],[aria-busy],[aria-controls],[aria-current],[aria-describedby],[aria-description],
  [aria-details],[aria-dropeffect],[aria-flowto],[aria-grabbed],[aria-keyshortcuts],[aria-label],[aria-labelledby],
  [aria-live],[aria-owns],[aria-relevant],[aria-roledescription]`;
const SECTIONING = 'article,aside,nav,section,[role=article],[role=complementary],[role=navigation],[role=region]';

const NATIVE_ROLES = {
  a: el => isLink(el) || has(el, 'onclick') || clickables.has(el) ? 'link' : 'generic',
  area: el => has(el, 'href') ? 'link' : 'generic', abbr: 'generic', address: 'group', article: 'article',
  aside: el => asideRole(el), audio: 'audio',
  blockquote: 'blockquote', button: 'button', canvas: 'canvas', caption: 'caption', code: 'code', datalist: 'listbox',
  dd: 'definition', del: 'deletion', details: 'group', dfn: 'term', dialog: 'dialog', dir: 'list', dl: 'generic',
  dt: 'term', em: 'emphasis', embed: el => /html/i.test(attr(el, 'type') || '') ? 'iframe' : 'generic',
  fieldset: 'group', figure: 'figure',
  footer: el => isScoped(el) ? 'sectionfooter' : 'contentinfo', form: 'form', frame: 'iframe',
  h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading',
  header: el => isScoped(el) ? 'sectionheader' : 'banner', hgroup: 'group', hr: 'separator', html: 'document',
  iframe: 'iframe', img: el => imageRole(el), input: el => inputRole(el), ins: 'insertion', li: el => itemRole(el),
  main: 'main', mark: 'mark', math: 'math', menu: 'list', meter: 'meter', nav: 'navigation',
  object: el => el.contentWindow ? 'iframe' : 'generic', ol: 'list', optgroup: 'group', option: 'option',
  output: 'status', p: 'paragraph', progress: 'progressbar', s: 'deletion', search: 'search',
  section: el => hasAuthorName(el) ? 'region' : 'generic', select: el => isListbox(el) ? 'listbox' : 'combobox',
  strong: 'strong', sub: 'subscript', summary: el => isSummary(el) ? 'button' : 'generic', sup: 'superscript',
  svg: 'img', table: 'table', tbody: el => inTable(el) ? 'rowgroup' : 'generic',
  td: el => cellRole(el), textarea: 'textbox', tfoot: el => inTable(el) ? 'rowgroup' : 'generic',
  th: el => headerRole(el), thead: el => inTable(el) ? 'rowgroup' : 'generic', time: 'time',
  tr: el => inTable(el) ? 'row' : 'generic', ul: 'list', video: 'video',
  // SVG shapes have a role only where an author gave them a name.
  image: 'img', circle: el => shapeRole(el), ellipse: el => shapeRole(el), line: el => shapeRole(el),
  path: el => shapeRole(el), polygon: el => shapeRole(el), polyline: el => shapeRole(el), rect: el => shapeRole(el),
  g: el => hasSvgName(el) ? 'group' : 'generic',
};
const NATIVE = new Map(Object.entries(NATIVE_ROLES));

const isSvg = el => el instanceof SVGElement;
const isLink = el => has(el, 'href') || (isSvg(el) && has(el, 'xlink:href'));
const isListbox = el => el.multiple || el.size > 1;
const isSummary = el => {
  const parent = parentOf.call(el);
  if (!parent || typeOf.call(parent) !== ELEMENT || tagOf(parent) !== 'details') return false;
  for (let node = firstElementOf.call(parent); node; node = nextElementOf.call(node)) {
    if (tagOf(node) === 'summary') return node === el;
  }
  return false;
};
const isUnder = (el, selector) => {
  const parent = parentOf.call(el);
  return parent !== null && typeOf.call(parent) === ELEMENT && closest.call(parent, selector) !== null;
};
const isScoped = el => isUnder(el, `main,[role=main],${SECTIONING}`);

function hasAuthorName(el) {
  if (!(bitsOf(el) & A_NAME)) return false;
  if (!nameless(attr(el, 'aria-label')) || !nameless(attr(el, 'title'))) return true;
  return referencedText(el, 'aria-labelledby', null) !== '';
}

const hasSvgName = el => hasAuthorName(el) || svgTitle(el) !== '';
const shapeRole = el => hasSvgName(el) ? 'graphics-symbol' : 'generic';

const asideRole = el => isUnder(el, SECTIONING) && !hasAuthorName(el) ? 'generic' : 'complementary';
const imageRole = el => attr(el, 'alt') === '' && !hasAuthorName(el) && !has(el, 'tabindex') ? 'none' : 'img';

function inputRole(el) {
  const type = el.type;
  const role = INPUT_ROLES[type];
  if (type === 'checkbox' && has(el, 'switch')) return 'switch';
  if ((role === undefined || role === 'searchbox') && type !== 'password' && el.list) return 'combobox';
  return role === undefined ? 'textbox' : role;
}

// The role an author gave to the nearest ancestor that counts, or '' for its own meaning, or null for no such ancestor.
function ownerRole(el, isOwner, isTransparent) {
  for (let up = flatParent(el); up; up = flatParent(up)) {
    if (isOwner(up)) return explicitRole(up) || '';
    if (!isTransparent(up)) return null;
  }
  return null;
}

function itemRole(el) {
  const role = ownerRole(el, up => LIST_OWNERS.has(tagOf(up)) || /^(list|directory)$/.test(attr(up, 'role') || ''),
    up => up instanceof HTMLSlotElement || /^(none|generic)$/.test(roleOf(up)));
  if (role === 'none') return 'none';
  return role === '' || role === 'list' ? 'listitem' : 'generic';
}

const TABLE_PARTS = wordSet('tr tbody thead tfoot table');
const tableOf = el => {
  for (let up = flatParent(el); up && TABLE_PARTS.has(tagOf(up)); up = flatParent(up)) {
    if (tagOf(up) === 'table') return up;
  }
  return null;
};
const inTable = el => {
  const table = tableOf(el);
  return table !== null && isTableRole(explicitRole(table) || 'table');
};
const isTableRole = role => role === 'table' || role === 'grid' || role === 'treegrid';

function cellRole(el) {
  const table = tableOf(el);
  const role = table && (explicitRole(table) || 'table');
  if (!role || !isTableRole(role)) return 'generic';
  return role === 'table' ? 'cell' : 'gridcell';
}

function headerRole(el) {
  if (cellRole(el) === 'generic') return 'generic';
  const scope = (attr(el, 'scope') || '').toLowerCase();
  if (scope === 'row' || scope === 'rowgroup') return 'rowheader';
  if (scope === 'col' || scope === 'colgroup') return 'columnheader';
  const row = parentOf.call(el);
  const section = row && parentOf.call(row);
  if (section && tagOf(section) === 'thead') return 'columnheader';
  for (let cell = firstElementOf.call(row); cell; cell = nextElementOf.call(cell)) {
    if (tagOf(cell) === 'td') return 'rowheader';
  }
  return 'columnheader';
}

const FOCUSABLE_TAGS = wordSet('button select textarea iframe summary');
function isFocusable(el, tag = tagOf(el)) {
  if (!Number.isNaN(tabStop(el))) return true;
  if (FOCUSABLE_TAGS.has(tag)) return tag !== 'summary' || isSummary(el);
  if (tag === 'a' || tag === 'area') return isLink(el);
  return (tag === 'input' && el.type !== 'hidden') || isEditableRoot(el);
}

function isEditableRoot(el) {
  const value = attr(el, 'contenteditable');
  return value !== null && /^(true|plaintext-only|)$/i.test(value);
}

function explicitRole(el) {
  const given = attr(el, 'role');
  if (given === null || given.length > 2000) return '';
  for (const word of given.toLowerCase().split(/[ \t\n\r\f]+/)) {
    const role = SYNONYMS[word] || word;
    if (!ROLES.has(role)) continue;
    if (role === 'none' && (isFocusable(el) || matches.call(el, GLOBAL_ARIA))) return '';
    if ((role === 'region' || role === 'form') && !hasAuthorName(el)) continue;
    return role;
  }
  return '';
}

function roleOf(el, tag = tagOf(el), bits = bitsOf(el)) {
  const given = bits & A_ROLE ? explicitRole(el) : '';
  if (given) return given;
  const native = NATIVE.get(tag);
  const role = typeof native === 'function' ? native(el) : native;
  if (role !== undefined && role !== 'generic') return role;
  return bits & A_MARK && isEditableRoot(el) ? 'textbox' : 'generic';
}

// Computed style is dear: three properties cost more than the rest of a visit. Elements alike in tag, class, id and
// role, under parents alike in the same way, are nearly always styled alike, so after a few equal readings the next
// one is taken on trust. A style attribute, or one unequal reading, ends the trust. Whether an element is rendered
// at all is never taken on trust.

const TRUST = 2;
const MAX_KEY = 1000;

// Which attributes of interest an element has: one native call instead of one for each of them.
const A_STYLE = 1, A_CLASS = 2, A_ID = 4, A_ROLE = 8, A_MARK = 16, A_NAME = 32, A_STATE = 64, A_HREF = 128;
const ATTRIBUTE_BITS = new Map();
for (const [bit, names] of [
  [A_STYLE, 'style'], [A_CLASS, 'class'], [A_ID, 'id'], [A_ROLE, 'role'], [A_HREF, 'href xlink:href'],
  [A_MARK, 'tabindex onclick aria-hidden aria-disabled aria-modal inert contenteditable popover'],
  [A_NAME, 'aria-labelledby aria-label title aria-placeholder placeholder alt xlink:title label value type'],
  [A_STATE, `aria-expanded aria-checked aria-pressed aria-selected aria-busy aria-required aria-readonly aria-invalid
    aria-multiselectable aria-current aria-haspopup aria-sort aria-level aria-colindex aria-rowindex aria-disabled
    aria-describedby aria-description data-testid draggable minlength maxlength min max step pattern placeholder
    title`],
]) for (const name of wordSet(names)) ATTRIBUTE_BITS.set(name, (ATTRIBUTE_BITS.get(name) || 0) | bit);

function bitsOf(el) {
  if (!hasAttributes.call(el)) return 0;
  let bits = 0;
  const names = getAttributeNames.call(el);
  for (let i = 0; i < names.length; i += 1) bits |= ATTRIBUTE_BITS.get(names[i]);
  return bits;
}

// What is known of a tag, in one place: a look has it at hand.
const TAG_FACTS = new Map();
function tagFacts(tag) {
  let facts = TAG_FACTS.get(tag);
  if (facts === undefined) {
    const custom = tag.includes('-');
    facts = { unseen: UNSEEN_TAGS.has(tag), walked: WALKED_TAGS.has(tag), closed: CLOSED_TAGS.has(tag),
              host: custom || HOST_TAGS.has(tag), custom };
    // A page can make up any number of custom tags.
    if (TAG_FACTS.size < 1000) TAG_FACTS.set(tag, facts);
  }
  return facts;
}

class Look {
  constructor(tag = '') {
    this.tag = tagFacts(tag);
    this.kids = null;
    this.reads = 0;
    this.pointer = this.inline = this.inFlow = this.skips = this.captcha = false;
    this.visible = this.opaque = true;
    this.display = '';
    this.position = 'static';
    this.overflow = 'visible';
    // How often nothing was found: transform, generated content before and after, upper or lower case, masked text.
    this.still = this.before = this.after = this.plain = this.unmasked = 0;
  }
}

function lookUnder(parent, el, tag, bits, seen = true) {
  if (bits & A_STYLE) return ownLook(el, tag, bits);
  const key = bits === 0 ? tag : lookKey(el, tag, bits);
  if (key.length > MAX_KEY) return ownLook(el, tag, bits);
  const kids = parent.kids || (parent.kids = new Map());
  let look = kids.get(key);
  if (look === undefined) {
    kids.set(key, look = new Look(tag));
    look.captcha = CAPTCHA_WORD.test(key);
  }
  // Visibility is inherited: under something unseen nothing is taken to be visible without looking.
  if (look.reads < TRUST || !seen) readLook(look, el);
  return look;
}

const CAPTCHA_WORD = /captcha|turnstile/;

function ownLook(el, tag, bits) {
  const look = lookAt(el, tag);
  if (bits & A_CLASS) look.captcha = CAPTCHA_WORD.test(attr(el, 'class'));
  return look;
}

function lookKey(el, tag, bits) {
  let key = tag;
  if (bits & A_CLASS) key += '.' + attr(el, 'class');
  if (bits & A_ID) key += '#' + attr(el, 'id');
  if (bits & A_ROLE) key += '@' + attr(el, 'role');
  // Without an address it is no link, and has no pointer cursor of its own.
  return bits & A_HREF ? key + '>' : key;
}

function readLook(look, el) {
  const style = styleOf(el);
  const { display, position, overflow } = style;
  const pointer = style.cursor === 'pointer', visible = style.visibility === 'visible', opaque = style.opacity !== '0';
  const equal = look.pointer === pointer && look.display === display && look.position === position &&
    look.overflow === overflow && look.visible === visible && look.opaque === opaque;
  look.reads = visible && opaque && (look.reads === 0 || equal) ? look.reads + 1 : -Infinity;
  look.pointer = pointer;
  look.visible = visible;
  look.opaque = opaque;
  if (look.display !== display) {
    look.display = display;
    look.inline = /^(inline|contents|ruby)/.test(display);
  }
  look.position = position;
  look.overflow = overflow;
  look.inFlow = position === 'static' && overflow === 'visible';
  look.skips = style.contentVisibility === 'hidden';
}

function lookAt(el, tag = tagOf(el)) {
  const look = new Look(tag);
  readLook(look, el);
  return look;
}

function isTransformed(look, el) {
  if (look.still >= TRUST) return false;
  const moved = styleOf(el).transform !== 'none';
  look.still = moved ? -Infinity : look.still + 1;
  return moved;
}

// Accessible names and descriptions (accname 1.2, with the choices Chromium makes where it leaves any).

const MAX_NAME = 1000;
const MAX_GATHERED = MAX_NAME * 4;
const MAX_IDREFS = 50;
const MAX_NODES_PER_NAME = 3000;
const MAX_NAME_DEPTH = 200;

const NAMED_BY_CONTENT = wordSet(`button cell checkbox columnheader gridcell heading link math menuitem
  menuitemcheckbox menuitemradio option radio rowheader switch tab tooltip treeitem doc-backlink doc-biblioref
  doc-glossref doc-noteref`);
// Chromium does not look into these for the name of something around them.
const NAME_BARRIERS = wordSet(`alert alertdialog application article banner blockquote complementary contentinfo dialog
  document feed figure grid group log main menu menubar navigation note radiogroup row rowgroup search status tablist
  tabpanel timer toolbar tree treegrid img`);
const VALUE_ROLES = wordSet('slider spinbutton scrollbar progressbar meter');
const LABELABLE_TAGS = wordSet('button input meter output progress select textarea');
const REPLACED_TAGS = wordSet(`img svg canvas video audio input select textarea button iframe object embed meter
  progress`);
const NO_CONTENT = wordSet(`script style template head title meta link iframe frame object embed video audio
  canvas input textarea select datalist img progress meter map`);
const UNSEEN_TAGS = wordSet(`script style template head title meta link base param source track datalist
  defs desc symbol metadata clipPath mask linearGradient radialGradient marker pattern filter`);

function baseOrigin() {
  const base = /^https?:\/\/[^/]+(?=\/)/.exec(baseOf.call(page));
  return base ? base[0] : '';
}

// Filled during one walk or question, and dropped after it: the page changes in between.
let memo = null;
function freshMemo() {
  memo = { names: new Map(), contents: new Map(), referenced: new Map(), labels: new Map(), labelled: new Map(),
           maps: new Map(), look: new Look(), owned: null, counters: null, origin: baseOrigin(),
           hasFonts: pageFonts.call(page).size > 0, masksAsked: MAX_MASKS_ASKED };
}

const newSearch = (referenced, hidden) =>
  ({ depth: 0, left: MAX_NODES_PER_NAME, referenced, hidden, all: referenced, seen: null });

function nameOf(el, role, tag = tagOf(el), look = null, bits = bitsOf(el)) {
  const name = squash(computeName(el, role, tag, look, bits));
  return name.length > MAX_NAME ? cut(name, MAX_NAME) : name;
}

// For the few elements whose name is asked for more than once.
function rememberedName(el, role, tag) {
  let name = memo.names.get(el);
  if (name === undefined) memo.names.set(el, name = nameOf(el, role, tag));
  return name;
}

const nameless = text => text === null || isWhite(text);

function computeName(el, role, tag, look, bits) {
  const bare = !(bits & A_NAME);
  const given = bare ? '' : authorName(el);
  if (given) return given;
  const native = nativeName(el, tag);
  if (native !== null && (!nameless(native) || tag === 'img')) return short(native);
  const hasContent = NAMED_BY_CONTENT.has(role) && !NO_CONTENT.has(tag);
  const search = hasContent ? newSearch(false, false) : null;
  const own = look || (hasContent ? lookUnder(memo.look, el, tag, bits) : null);
  const text = hasContent ? contentText(el, tag, search, own, true) : '';
  if (text !== '' && !nameless(text)) return text;
  const other = bare && tag !== 'input' ? '' : short(fallbackName(el, tag));
  if (other || !hasContent || !firstElementOf.call(el)) return other;
  // Better than nothing: what Chromium leaves out.
  return contentText(el, tag, { ...newSearch(false, false), all: true }, own, true);
}

const short = text => text.length > MAX_GATHERED ? text.slice(0, MAX_GATHERED) : text;

function authorName(el) {
  const referenced = referencedText(el, 'aria-labelledby', null);
  if (referenced) return referenced;
  const label = attr(el, 'aria-label');
  return nameless(label) ? '' : short(label);
}

function fallbackName(el, tag) {
  const title = attr(el, 'title');
  if (!nameless(title)) return title;
  if (tag === 'input' || tag === 'textarea') {
    return attr(el, 'placeholder') || attr(el, 'aria-placeholder') || defaultName(el, tag);
  }
  return (isSvg(el) && attr(el, 'xlink:title')) || attr(el, 'aria-placeholder') || '';
}

const DEFAULT_NAMES = { submit: 'Submit', reset: 'Reset', image: 'Submit', file: 'Choose File' };
const defaultName = (el, tag) => (tag === 'input' && !has(el, 'value') && DEFAULT_NAMES[el.type]) || '';

function* idrefs(el, attribute) {
  const value = attr(el, attribute);
  if (value === null) return;
  const root = getRootNode.call(el);
  for (const id of value.slice(0, 5000).trim().split(/\s+/).slice(0, MAX_IDREFS)) {
    const target = id && elementById(root, id);
    if (target) yield target;
  }
}

function referencedText(el, attribute, seen) {
  if (!has(el, attribute)) return '';
  const texts = [];
  for (const target of idrefs(el, attribute)) {
    texts.push(targetText(target));
    if (seen) seen.add(target);
  }
  return squash(texts.join(' '));
}

// The text of an element that is referred to. A hidden one is read with everything hidden inside it; a hidden
// <label> says nothing.
function targetText(target) {
  let text = memo.referenced.get(target);
  if (text === undefined) {
    memo.referenced.set(target, '');
    text = cut(squash(labelContent(target, tagOf(target), null)), MAX_NAME);
    memo.referenced.set(target, text);
  }
  return text;
}

function labelContent(el, tag, control) {
  const bits = bitsOf(el);
  const look = lookUnder(memo.look, el, tag, bits);
  const hidden = showState(el, look) !== SHOWN_NOW || (bits & A_MARK && isOn(el, 'aria-hidden'));
  if (hidden && control) return '';
  const search = newSearch(true, hidden);
  search.seen = new Set([el, control]);
  return alternative(el, tag, search, look, true, bits).text;
}

function labelsOf(el) {
  const root = getRootNode.call(el);
  let labels = memo.labels.get(root);
  if (!labels) {
    // One pass per root: the `labels` property of a control searches the whole document each time.
    labels = new Map();
    for (const label of kindOf(root) === 'element' ? [] : queryAll(root, 'label')) {
      const control = label.control;
      const others = control && labels.get(control);
      if (others) others.push(label);
      else if (control) labels.set(control, [label]);
    }
    memo.labels.set(root, labels);
  }
  return labels.get(el) || NONE;
}
const NONE = [];

function labelText(el) {
  const labels = labelsOf(el);
  if (labels.length === 0) return '';
  let text = memo.labelled.get(el);
  if (text === undefined) {
    text = squash(labels.slice(0, MAX_IDREFS).map(label => labelContent(label, 'label', el)).join(' '));
    memo.labelled.set(el, text);
  }
  return text;
}

const firstChildNamed = (el, tag) => {
  for (let node = firstElementOf.call(el); node; node = nextElementOf.call(node)) if (tagOf(node) === tag) return node;
  return null;
};
const svgTitle = el => {
  const title = firstChildNamed(el, 'title');
  return title ? squash(textOf.call(title).slice(0, MAX_DATA)) : '';
};
const childText = (el, tag) => {
  const child = firstChildNamed(el, tag);
  return child && alternative(child, tag, newSearch(false, false), lookAt(child), true, bitsOf(child)).text;
};

const NATIVE_NAMES = {
  img: el => attr(el, 'alt'), area: el => attr(el, 'alt'), svg: svgTitle, optgroup: el => attr(el, 'label'),
  option: el => attr(el, 'label'), html: () => titleOf.call(page), fieldset: el => childText(el, 'legend'),
  table: el => childText(el, 'caption'),
};

function nativeName(el, tag) {
  if (LABELABLE_TAGS.has(tag)) {
    const label = labelText(el);
    if (label) return label;
    return tag === 'input' ? inputName(el) : null;
  }
  const own = NATIVE_NAMES[tag];
  if (own) return own(el);
  return isSvg(el) ? svgTitle(el) : null;
}

function inputName(el) {
  const type = el.type;
  if (type === 'image') return attr(el, 'alt') || attr(el, 'value');
  return type === 'button' || type === 'submit' || type === 'reset' ? attr(el, 'value') : null;
}

// The text an element adds to a name it is part of, and whether that text came from elsewhere than its contents
// (then it is kept apart by spaces from what stands beside it).
function alternative(el, tag, search, look, shown, bits) {
  const bare = !(bits & (A_NAME | A_ROLE | A_MARK));
  if (tag === 'slot' || (bare && !NATIVE.has(tag))) {
    return { text: contentText(el, tag, search, look, shown), apart: false };
  }
  if (!bare && !search.referenced && has(el, 'aria-labelledby')) {
    search.seen = search.seen || new Set();
    const text = referencedText(el, 'aria-labelledby', search.seen);
    if (text) return { text, apart: true };
  }
  const role = roleOf(el, tag, bits);
  const value = search.depth > 0 || VALUE_ROLES.has(role) ? embeddedValue(el, tag, role) : null;
  if (value !== null) return { text: value, apart: true };
  const label = bare ? null : attr(el, 'aria-label');
  if (!nameless(label)) return { text: label, apart: true };
  const native = nativeName(el, tag);
  if (!nameless(native)) return { text: native, apart: true };
  const text = isBarred(tag, role, search) ? '' : contentText(el, tag, search, look, shown);
  if (bare || !nameless(text) || (role === 'generic' && !search.all)) return { text, apart: false };
  const title = fallbackName(el, tag);
  return { text: title || text, apart: title !== '' };
}

const isBarred = (tag, role, search) => NO_CONTENT.has(tag) || (NAME_BARRIERS.has(role) && !search.all &&
  search.depth > 0 && tag !== 'address' && tag !== 'details');

function embeddedValue(el, tag, role) {
  if (tag === 'select') return selectedLabels(el).join(' ');
  if (role === 'textbox' || role === 'searchbox' || (role === 'combobox' && tag === 'input')) {
    if (isSecret(el)) return '';
    return tag === 'input' || tag === 'textarea' ? el.value : squash(textOf.call(el).slice(0, MAX_DATA));
  }
  if (role === 'combobox' || role === 'listbox') return chosenText(el, role);
  if (!VALUE_ROLES.has(role)) return null;
  const shown = attr(el, 'aria-valuetext') || attr(el, 'aria-valuenow');
  if (shown !== null) return shown;
  return tag === 'input' || tag === 'progress' || tag === 'meter' ? String(el.value) : null;
}

function chosenText(el, role) {
  const chosen = [...queryAll(el, '[role=option][aria-selected=true],[role=option][aria-checked=true]')];
  const names = chosen.slice(0, MAX_IDREFS).map(option => rememberedName(option, 'option', tagOf(option)));
  if (names.length) return names.join(' ');
  return role === 'combobox' ? squash(textOf.call(el).slice(0, MAX_DATA)) : '';
}

const selectedLabels = el => Array.from(el.selectedOptions).slice(0, MAX_IDREFS).map(optionLabel);
const optionLabel = option => squash((attr(option, 'label') || option.text).slice(0, MAX_DATA));

function contentText(el, tag, search, look, shown) {
  const first = firstOf.call(el);
  if (first !== null && typeOf.call(first) === TEXT && nextOf.call(first) === null && rootOf(el) === null &&
      !has(el, 'aria-owns')) {
    const text = shown ? transformed(el, look, textData(first)) : '';
    return short(textBeforeContent(el, look) + text + textAfterContent(el, look));
  }
  const isShared = !search.referenced && !search.hidden && !search.all;
  if (isShared) {
    const known = memo.contents.get(el);
    if (known !== undefined) return known;
  }
  const text = search.depth < MAX_NAME_DEPTH ? gatherText(el, tag, search, look, shown) : '';
  if (isShared) memo.contents.set(el, text);
  return text;
}

function gatherText(el, tag, search, look, shown) {
  const out = { text: textBeforeContent(el, look), apart: false };
  const owned = memo.owned || ownership();
  const first = isClosed(el, tag) && !search.hidden ? summaryOnly(el) : flatFirst(el, tag);
  const list = Array.isArray(first) ? first : null;
  let i = 0;
  for (let node = list ? list[0] : first; node; node = list ? list[++i] : nextOf.call(node)) {
    if (--search.left < 0 || out.text.length > MAX_GATHERED) break;
    const type = typeOf.call(node);
    if (type === TEXT) {
      if (shown) join(out, transformed(el, look, textData(node)), false);
    } else if (type === ELEMENT && (owned.size === 0 || (owned.get(node) || el) === el)) {
      joinElement(out, node, search, look, shown);
    }
  }
  if (owned.size) for (const child of ownedBy(el, owned)) joinElement(out, child, search, look, shown);
  join(out, textAfterContent(el, look), false);
  return short(out.text);
}

const isClosed = (el, tag) => tag === 'details' && !el.open;
const summaryOnly = el => [firstChildNamed(el, 'summary')].filter(Boolean);

function join(out, text, apart) {
  if (text === '') return;
  if ((apart || out.apart) && out.text !== '' && !isSpace(out.text.charCodeAt(out.text.length - 1)) &&
      !isSpace(text.charCodeAt(0))) out.text += ' ';
  out.text += text;
  out.apart = apart;
}

function joinElement(out, node, search, parentLook, shown) {
  const tag = tagOf(node);
  if (tag === 'br') return join(out, ' ', false);
  if (UNSEEN_TAGS.has(tag) || (search.seen && search.seen.has(node))) return;
  const bits = bitsOf(node);
  if (!search.hidden && bits & A_MARK && isOn(node, 'aria-hidden')) return;
  const look = lookUnder(parentLook, node, tag, bits, shown);
  const state = search.hidden ? SHOWN_NOW : showState(node, look);
  if (state === SHOWN_NOT) return;
  if (search.seen) search.seen.add(node);
  search.depth += 1;
  const { text, apart } = alternative(node, tag, search, look, state === SHOWN_NOW, bits);
  search.depth -= 1;
  const separate = apart || REPLACED_TAGS.has(tag) || (look.display !== 'inline' && look.display !== 'contents' &&
    !look.display.startsWith('ruby'));
  if (text) join(out, text, separate);
  else if (separate) out.apart = out.text !== '';
}

const SHOWN_NOT = 0, SHOWN_PARTS = 1, SHOWN_NOW = 2;

// Whether an element can add to a name: not at all, by parts that are visible again, or as it is.
function showState(el, look) {
  if (!checkVisibility.call(el) && styleOf(el).display !== 'contents') return SHOWN_NOT;
  return look.visible ? SHOWN_NOW : SHOWN_PARTS;
}

// What aria-owns moves: child to its new parent.
function ownership() {
  memo.owned = new Map();
  for (const owner of [...queryAll(page, '[aria-owns]')].slice(0, 2000)) {
    if (closest.call(owner, '[aria-hidden=true]')) continue;
    for (const child of idrefs(owner, 'aria-owns')) {
      if (!memo.owned.has(child) && !contains.call(child, owner)) memo.owned.set(child, owner);
    }
  }
  return memo.owned;
}

const ownedBy = (el, owned) => has(el, 'aria-owns') ?
  [...idrefs(el, 'aria-owns')].filter(child => owned.get(child) === el && flatParent(child) !== el) : NONE;

function descriptionOf(el, name) {
  const described = referencedText(el, 'aria-describedby', null) || squash(attr(el, 'aria-description') || '');
  if (described) return cut(described, 200);
  const title = squash((attr(el, 'title') || '').slice(0, 2000));
  return title && title !== name ? cut(title, 200) : '';
}

// Text that comes from style sheets: generated content with its counters, and upper or lower case.

const MAX_COUNTED = 3000, MAX_SCOPES = 100;

const TRANSFORMS = {
  uppercase: text => text.toUpperCase(),
  lowercase: text => text.toLowerCase(),
  capitalize: text => text.replace(/(^|[\s\p{P}])(\p{Ll})/gu, (_, before, letter) => before + letter.toUpperCase()),
};

function transformed(el, look, text) {
  if (look.plain >= TRUST || !/\S/.test(text)) return text;
  const change = TRANSFORMS[styleOf(el).textTransform];
  look.plain = change ? -Infinity : look.plain + 1;
  return change ? change(text) : text;
}

function textBeforeContent(el, look) {
  if (look.before >= TRUST) return '';
  const text = generatedText(el, '::before');
  look.before = text ? -Infinity : look.before + 1;
  return text;
}

function textAfterContent(el, look) {
  if (look.after >= TRUST) return '';
  const text = generatedText(el, '::after');
  look.after = text ? -Infinity : look.after + 1;
  return text;
}

function generatedText(el, which) {
  const style = styleOf(el, which);
  const content = style.content;
  if (!content || content === 'none' || content === 'normal' || content === '""') return '';
  if (style.display === 'none' || style.visibility !== 'visible') return '';
  // "shown" / "alternative": what stands last is meant for names, and stands apart like any other alternative.
  const parts = content.slice(0, 4000).split(/ \/ (?=["(a-z])/);
  const text = contentParts(el, which, parts.pop());
  return text && (parts.length || style.display !== 'inline') ? ` ${text} ` : text;
}

const CONTENT_PARTS = /"((?:[^"\\]|\\.)*)"|attr\(([\w-]+)\)|counters?\(([\w-]+)/g;

function contentParts(el, which, wanted) {
  const text = [];
  for (const [, quoted, attribute, counter] of wanted.matchAll(CONTENT_PARTS)) {
    if (counter) text.push(counterValue(el, which, counter));
    else text.push(attribute ? attr(el, attribute) || '' : quoted.replace(/\\(.)/g, '$1'));
  }
  return text.join('');
}

function counterValue(el, which, name) {
  if (!memo.counters) memo.counters = countAll();
  const values = memo.counters.get(el);
  return values ? String(values[which][name] ?? 0) : '';
}

// The counters of every element with generated content, in document order. Only pages whose names need them pay for
// it, and only if they are small.
function countAll() {
  const found = new Map();
  const scopes = [];
  const path = [{ el: rootElementOf.call(page), next: null, opened: false }];
  let left = MAX_COUNTED;
  while (path.length && left > 0) {
    const at = path[path.length - 1];
    if (!at.opened) {
      left -= 1;
      at.opened = true;
      at.next = firstElementOf.call(at.el);
      applyCounters(scopes, styleOf(at.el), path.length);
      found.set(at.el, { '::before': pseudoCounters(scopes, at.el, '::before', path.length + 1), '::after': {} });
    } else if (at.next) {
      path.push({ el: at.next, next: null, opened: false });
      at.next = nextElementOf.call(at.next);
    } else {
      found.get(at.el)['::after'] = pseudoCounters(scopes, at.el, '::after', path.length + 1);
      endScopes(scopes, path.length);
      path.pop();
    }
  }
  return found;
}

function pseudoCounters(scopes, el, which, depth) {
  const style = styleOf(el, which);
  if (style.content !== 'none' && style.content !== 'normal') applyCounters(scopes, style, depth);
  return Object.fromEntries(scopes.map(({ name, value }) => [name, value]));
}

// A counter lives among the siblings of the element that made it, and inside them.
function endScopes(scopes, depth) {
  while (scopes.length && scopes[scopes.length - 1].depth > depth) scopes.pop();
}

function applyCounters(scopes, style, depth) {
  for (const [name, value] of counterPairs(style.counterReset, 0)) {
    const sibling = scopes.find(scope => scope.name === name && scope.depth === depth);
    if (sibling) sibling.value = value;
    else openScope(scopes, name, value, depth);
  }
  for (const [name, value] of counterPairs(style.counterSet, 0)) innermost(scopes, name, depth).value = value;
  for (const [name, value] of counterPairs(style.counterIncrement, 1)) innermost(scopes, name, depth).value += value;
}

function innermost(scopes, name, depth) {
  for (let i = scopes.length - 1; i >= 0; i -= 1) if (scopes[i].name === name) return scopes[i];
  return openScope(scopes, name, 0, depth);
}

function openScope(scopes, name, value, depth) {
  const scope = { name, value, depth };
  if (scopes.length < MAX_SCOPES) scopes.push(scope);
  return scope;
}

function counterPairs(text, otherwise) {
  if (!text || text === 'none') return [];
  return [...text.matchAll(/([\w-]+)(?:\s+(-?\d+))?/g)].map(([, name, value]) => [name, Number(value ?? otherwise)]);
}

// States as bits (types.py has the same table) and values.

const INTERACTIVE = 1, OFFSCREEN = 2, DISABLED = 4, READONLY = 8, CHECKABLE = 16, CHECKED = 32, MIXED = 64,
  EXPANDABLE = 128, EXPANDED = 256, FOCUSED = 512, BUSY = 1024, REQUIRED = 2048, INVALID = 4096, SELECTED = 8192,
  SECRET = 16384, TOP = 32768, OVERLAY = 65536, COVERED = 131072, POINTER = 262144, LISTENER = 524288,
  EDITABLE = 1048576, SUBMITS = 2097152, NEWTAB = 4194304, SCROLLS = 8388608, DRAGGABLE = 16777216, MULTI = 33554432,
  INLINE = 67108864;

const MAX_VALUE = 2000, MAX_ADDRESS = 500, MAX_OPTIONS = 100, MAX_FACT = 200;

const CHECKABLE_ROLES = wordSet('checkbox radio switch menuitemcheckbox menuitemradio');
const BUTTON_TYPES = wordSet('button submit reset image');
const UNTYPED = wordSet('checkbox radio range color file hidden button submit reset image');
const TRISTATE = { true: CHECKED, mixed: MIXED };
const EXPANSION = { true: EXPANDABLE | EXPANDED, false: EXPANDABLE };

// What an attribute says, by its name. Most elements have two or three attributes and there are two dozen that
// matter, so looking at those that are there is cheaper than asking for each.
const ATTRIBUTES = {
  'aria-expanded': (n, el, v) => { if (v in EXPANSION) n.flags |= EXPANSION[v]; },
  'aria-checked': (n, el, v) => { if (tagOf(el) !== 'input') n.flags |= CHECKABLE | (TRISTATE[v] || 0); },
  'aria-pressed': (n, el, v) => { if (n.role === 'button') n.flags |= CHECKABLE | (TRISTATE[v] || 0); },
  'aria-selected': (n, el, v) => { if (v === 'true') n.flags |= SELECTED; },
  'aria-disabled': (n, el, v) => { if (v === 'true') n.flags |= DISABLED; },
  'aria-busy': (n, el, v) => { if (v === 'true') n.flags |= BUSY; },
  'aria-required': (n, el, v) => { if (v === 'true') n.flags |= REQUIRED; },
  'aria-readonly': (n, el, v) => { if (v === 'true') n.flags |= READONLY; },
  'aria-invalid': (n, el, v) => { if (v !== 'false' && v !== '') n.flags |= INVALID; },
  'aria-multiselectable': (n, el, v) => { if (v === 'true') n.flags |= MULTI; },
  'aria-current': (n, el, v) => { if (v && v !== 'false') fact(n).cur = cut(v, 20); },
  'aria-haspopup': (n, el, v) => { if (v && v !== 'false') fact(n).pop = v === 'true' ? 'menu' : cut(v, 20); },
  'aria-sort': (n, el, v) => { if (v !== 'none') fact(n).sort = cut(v, 20); },
  'aria-level': (n, el, v) => { if (/^\d{1,3}$/.test(v)) fact(n).l = Number(v); },
  'aria-colindex': (n, el, v) => { if (/^\d{1,9}$/.test(v)) fact(n).col = Number(v); },
  'aria-rowindex': (n, el, v) => { if (/^\d{1,9}$/.test(v)) fact(n).row = Number(v); },
  'data-testid': (n, el, v) => { fact(n).ti = cut(v, MAX_FACT); },
  draggable: (n, el, v) => { if (v === 'true') n.flags |= DRAGGABLE; },
  minlength: (n, el) => { if (el.minLength > 0) fact(n).mn = el.minLength; },
  maxlength: (n, el) => { if (el.maxLength >= 0) fact(n).mx = el.maxLength; },
  min: (n, el, v) => bound(n, el, 'min', v),
  max: (n, el, v) => bound(n, el, 'max', v),
  step: (n, el, v) => bound(n, el, 'step', v),
  pattern: (n, el, v) => { if (tagOf(el) === 'input') fact(n).pt = cut(v, MAX_FACT); },
  placeholder: (n, el, v) => { if (v && isField(el)) fact(n).p = cut(squash(v.slice(0, MAX_VALUE)), MAX_FACT); },
  title: (n, el) => describe(n, el),
  'aria-describedby': (n, el) => describe(n, el),
  'aria-description': (n, el) => describe(n, el),
};
const READERS = new Map(Object.entries(ATTRIBUTES));

const fact = n => n.extra || (n.extra = {});
const isField = el => el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement;
const bound = (n, el, key, value) => { if (value && el instanceof HTMLInputElement) fact(n)[key] = cut(value, 30); };
const describe = (n, el) => { const text = descriptionOf(el, n.name); if (text) fact(n).d = text; };

// Adds flags and facts to a record.
function readStates(n, bits, look) {
  const { el, tag } = n;
  if (bits & A_STATE) {
    for (const name of getAttributeNames.call(el)) {
      const read = READERS.get(name);
      if (read) read(n, el, attr(el, name));
    }
  }
  if (n.role === 'heading' && !(n.extra && n.extra.l)) fact(n).l = /^h[1-6]$/.test(tag) ? Number(tag[1]) : 2;
  const readTag = TAG_STATES[tag];
  if (readTag) readTag(n, el, look);
  if (CHECKABLE_ROLES.has(n.role)) n.flags |= CHECKABLE;
  if (tag !== 'input' && tag !== 'select' && tag !== 'textarea') readAriaValue(n, el, tag, look);
}

const TAG_STATES = {
  a: (n, el) => readLink(n, el), area: (n, el) => readLink(n, el),
  button: (n, el) => readButton(n, el), input: (n, el, look) => readInput(n, el, look),
  select: (n, el) => readSelect(n, el),
  textarea: (n, el, look) => readText(n, el, look, 'textarea'),
  summary: (n, el) => { if (isSummary(el)) n.flags |= EXPANSION[parentOf.call(el).open]; },
  option: (n, el) => { if (el.selected) n.flags |= SELECTED; if (el.disabled) n.flags |= DISABLED; },
  progress: (n, el) => { if (el.position >= 0) fact(n).v = String(el.value); },
  meter: (n, el) => { fact(n).v = String(el.value); },
};

function readLink(n, el) {
  const href = linkTarget(el);
  if (href) fact(n).u = cut(href, MAX_ADDRESS);
  if (opensTab(attr(el, 'target'))) n.flags |= NEWTAB;
}

// The browser's own resolving costs as much as a box; most addresses are whole or start at the root.
const WHOLE = /^https?:\/\/[a-z0-9.-]+(:\d+)?\/[\w/?=&%+,;:@!~#-]*$/;
const ROOTED = /^\/(?!\/)[\w/?=&%+,;:@!~#-]*$/;

function linkTarget(el) {
  const written = attr(el, 'href');
  if (written !== null && WHOLE.test(written)) return written;
  if (written !== null && memo.origin !== '' && ROOTED.test(written)) return memo.origin + written;
  const href = el.href;
  return typeof href === 'string' ? href : (href && href.baseVal) || '';
}

const opensTab = target => target !== null && target !== '' && !/^_(self|parent|top)$/i.test(target);

function readButton(n, el) {
  if (matches.call(el, ':disabled')) n.flags |= DISABLED;
  const type = el.type;
  const form = el.form;
  if (type !== 'button' && (form || type === 'reset')) fact(n).ty = type;
  if (form && (type === 'submit' || type === 'image')) {
    n.flags |= SUBMITS;
    if (opensTab(attr(el, 'formtarget') ?? attr(form, 'target'))) n.flags |= NEWTAB;
  }
}

function readInput(n, el, look) {
  const type = el.type;
  if (BUTTON_TYPES.has(type)) return readButton(n, el);
  readField(n, el);
  if (!UNTYPED.has(type)) return readText(n, el, look, type);
  if (type === 'checkbox' || type === 'radio') {
    n.flags |= CHECKABLE | (el.indeterminate ? MIXED : el.checked ? CHECKED : 0);
  } else if (type === 'file') {
    fact(n).ty = type;
    const files = Array.from(el.files || []).slice(0, 20).map(file => file.name).join(', ');
    if (files) fact(n).v = cut(files, MAX_VALUE);
    if (el.multiple) n.flags |= MULTI;
  } else {
    fact(n).v = cut(el.value, MAX_VALUE);
  }
}

function readField(n, el) {
  if (el.required) n.flags |= REQUIRED;
  if (!matches.call(el, ':disabled,:user-invalid')) return;
  n.flags |= matches.call(el, ':disabled') ? DISABLED : INVALID;
}

function readText(n, el, look, type) {
  if (type === 'textarea') readField(n, el);
  else if (type !== 'text') fact(n).ty = type;
  if (el.readOnly) n.flags |= READONLY;
  n.flags |= EDITABLE;
  const value = el.value;
  const kind = secretKind(el, n.name, look, value !== '');
  if (kind) {
    hide(n, kind);
  } else if (value !== '') {
    fact(n).v = cut(value, MAX_VALUE);
  }
  if (type !== 'textarea' && el.list) listOptions(n, Array.from(el.list.options));
}

function hide(n, kind) {
  n.flags |= SECRET;
  fact(n).k = kind;
  delete n.extra.v;
}

function readSelect(n, el) {
  readField(n, el);
  if (el.multiple) n.flags |= MULTI;
  fact(n).v = cut(selectedLabels(el).join(', '), MAX_VALUE);
  if (!isListbox(el)) listOptions(n, el.options);
}

function listOptions(n, options) {
  const labels = [];
  const count = options.length;
  for (let i = 0; i < count && i < MAX_OPTIONS; i += 1) {
    labels.push(cut(optionLabel(options[i]) || options[i].value, MAX_FACT));
  }
  fact(n).o = labels;
  fact(n).on = count;
}

const ARIA_VALUE_ROLES = wordSet('slider spinbutton scrollbar progressbar meter separator');
const ARIA_TEXT_ROLES = wordSet('textbox searchbox combobox');

function readAriaValue(n, el, tag, look) {
  if (ARIA_VALUE_ROLES.has(n.role)) {
    const value = attr(el, 'aria-valuetext') || attr(el, 'aria-valuenow');
    if (value !== null) fact(n).v = cut(value, MAX_FACT);
  } else if (ARIA_TEXT_ROLES.has(n.role)) {
    const editable = el.isContentEditable === true;
    if (editable) n.flags |= EDITABLE;
    const kind = editable ? secretKind(el, n.name, look, true) : '';
    if (kind) {
      hide(n, kind);
    } else if (n.role !== 'combobox' || editable || !firstElementOf.call(el) || tag === 'button') {
      const value = squash(textOf.call(el).slice(0, MAX_VALUE * 2));
      if (value && value !== n.name) fact(n).v = cut(value, MAX_VALUE);
    }
  }
}

// Which fields only a person may fill: by type, by autocomplete, by their words, by the way they show what they hold.
// The value of such a field never leaves the page.

const NEVER_SECRET = wordSet('email url search date time month week datetime-local color range checkbox radio file');
const MAX_JUDGED_WORDS = 10000, MAX_MASKS_ASKED = 300;

const AUTOCOMPLETE_SECRETS = [
  ['password', /\b(current|new)-password\b/i], ['code', /\bone-time-code\b/i],
  ['card', /\bcc-(number|csc|exp(-month|-year)?)\b/i],
];

// Whole words, in lower case, with one space wherever an identifier changes from word to word. A number may follow.
// Long ones count also within what programmers write as one.
const anyOf = (...some) => some.map(part => part.source).join('|');
const wholeWords = (...some) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${anyOf(...some)})(?!\\p{L})`, 'u');

const WORD_SECRETS = [
  ['password', /passwor[dt]|passwd|passphrase|kennwort|contrase[nñ]|senha|парол|密码|密碼|パスワード|비밀번호/],
  ['password', wholeWords(/pass ?code/, /pwd|psw|pswd|mdp/, /mot ?de ?passe/, /(?<!palabras? )clave/, /parola d.ordine/,
    /(api|secret|private|access) ?key/, /(api|access|auth) ?token/, /(seed|recovery) (phrase|key)/,
    /(security|secret) answer/, /sicherheitsantwort/, /réponse (secrète|de sécurité)/,
    /respuesta (secreta|de seguridad)/, /risposta (segreta|di sicurezza)/)],
  ['card', /(?<!dis|post|score)card ?num|kartennummer/],
  ['card', wholeWords(/(card|cc) ?(number|num|no|nr)/, /karten? ?(number|nummer|nr)/, /n[uú]mero de (la )?tarjeta/,
    /tarjeta (num|n[uú]mero)/, /num[ée]ro de (la )?carte/, /numero (della |di )?carta/,
    /cc ?(csc|cvc|cvv|exp\p{L}*)/, /cv[vcn]2?|csc|iban/, /card ?(verification|security)\p{L}*/,
    /(card|cc) ?expir\p{L}*/,
    /(security|sicherheits) ?code/, /code de sécurité/, /c[oó]digo de seguridad/, /codice di sicurezza/,
    /(karten)?pr(ü|ue)f(ziffer|nummer)n?/, /cryptogramme/)],
  // When a card expires; a day before it makes it a date.
  ['card', /(?<!\p{L}|\/ ?)mm ?\/ ?(yy|jj|aa)/u],
  ['code', /(verification|authentication|authenticator|bestätigungs|verifizierungs) ?code|one ?time ?(code|pass)/],
  ['code', wholeWords(/one ?time ?(pin|token)/, /t?otp( ?code)?|2fa|mfa|pin/,
    /(m|i|sms|push|chip|photo|app)? ?tan/, /geheimzahl/,
    /(verify|auth|sms|login|sign ?in|confirmation|recovery|backup) ?codes?/,
    /(authentifizierungs|einmal|zugangs|freischalt|freigabe|anmelde|sms|prüf) ?codes?/,
    /code (secret|confidentiel|sms|otp|reçu|unique|à usage unique|d.accès)/,
    /code de (vérification|confirmation|validation|connexion)/,
    /c[oó]digo (secreto|sms|otp|recibido|de un solo uso|de (verificaci[oó]n|confirmaci[oó]n|validaci[oó]n|acceso))/,
    /codice (segreto|sms|otp|pin|monouso|ricevuto|temporaneo|di (verifica|conferma|accesso|autenticazione))/)],
];
// As a name that only programs read; to people it has other meanings. And the other way round.
const WRITTEN_PASSWORD = wholeWords(/pass/, /pw/);
const SHOWN_CARD = wholeWords(/(?<!on )credit ?card(?! (holder|owner|type))/, /kreditkarten?/, /carta di credito/,
  /carte (de cr[ée]dit|bancaire)/, /tarjeta de cr[eé]dito/);
// A code of no named kind, unless what people read says which kind it is ("Promo code").
const BARE_CODE = new RegExp('^(?:(?:\\d+|enter|type|insert|your|the|this|digit|stelliger|gib|den|dein|ihr|votre|le|' +
  'saisissez|entrez|el|tu|su|introduce|introduzca|il|tuo|inserisci|de|dígitos) )*(?:code|c[oó]digo|codice)' +
  '(?: (?:à|de|a) \\d+ (?:chiffres|dígitos|cifre))?$');
// Every pattern above contains one of these; most fields contain none.
const SECRET_STEMS = new RegExp(anyOf(/pass|kennwort|contrase|senha|парол|密|パス|비밀|clave|pwd|psw|mdp|pw|parola/,
  /key|token|phrase|answer|antwort|réponse|respuesta|risposta|card|cc|kart|tarjeta|carte|carta|cv[vcn]|csc|iban/,
  /code|códig|codig|codic|pr(ü|ue)f|crypto|mm ?\/|time|otp|2fa|mfa|tan|pin|geheim/), 'i');

const isSecret = el => secretKind(el, attr(el, 'aria-label') || '', null, true) !== '';

function secretKind(el, name, look, sure = false) {
  const type = el instanceof HTMLInputElement ? el.type : 'text';
  if (type === 'password') oncePassword.add(el);
  const once = oncePassword.has(el);
  const told = autocompleteKind(el);
  if (told) return told;
  // A password field for a card's check digits or a one-time code is named as what it is.
  const found = !once && NEVER_SECRET.has(type) ? '' : fieldKind(el, name) || (once ? 'password' : '');
  if (found) return found;
  if (isOneOfManyBoxes(el)) return 'code';
  return isMasked(look, el, sure) ? 'password' : '';
}

function autocompleteKind(el) {
  const autocomplete = attr(el, 'autocomplete');
  if (autocomplete) for (const [kind, pattern] of AUTOCOMPLETE_SECRETS) if (pattern.test(autocomplete)) return kind;
  return '';
}

const fieldWord = text => text === null ? '' : text.length > MAX_FACT ? text.slice(0, MAX_FACT) : text;
const fieldKind = (el, name) => wordsKind(fieldWord(attr(el, 'name')) + '|' + fieldWord(attr(el, 'id')),
  fieldWord(attr(el, 'placeholder')) + '|' + fieldWord(name));

// The same fields are looked at again and again; judging words is dear.
let judgedWords = new Map();

function wordsKind(written, shown) {
  const key = written + '||' + shown;
  let kind = judgedWords.get(key);
  if (kind === undefined) {
    if (judgedWords.size >= MAX_JUDGED_WORDS) judgedWords = new Map();
    judgedWords.set(key, kind = SECRET_STEMS.test(key) ? judgeWords(spaced(written), spaced(shown)) : '');
  }
  return kind;
}

const spaced = text => text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/[_\-.:;,*()[\]\s]+/g, ' ').toLowerCase();

function judgeWords(written, shown) {
  const both = written + '|' + shown;
  for (const [kind, pattern] of WORD_SECRETS) if (pattern.test(both)) return kind;
  if (WRITTEN_PASSWORD.test(written)) return 'password';
  if (SHOWN_CARD.test(shown)) return 'card';
  const isBare = text => BARE_CODE.test(text.trim());
  const seen = shown.split('|').filter(text => text.trim() !== '');
  return seen.every(isBare) && (seen.length > 0 || written.split('|').some(isBare)) ? 'code' : '';
}

// One box for each digit of a code: four to ten fields of one character side by side.
function isOneOfManyBoxes(el) {
  if (!(el instanceof HTMLInputElement) || el.maxLength !== 1) return false;
  for (let up = flatParent(el), level = 0; up && level < 3; up = flatParent(up), level += 1) {
    const boxes = queryAll(up, 'input[maxlength="1"]').length;
    if (boxes > 3) return boxes <= 10;
  }
  return false;
}

// Shown as dots: by style, or by a font of the page's own that has one picture for all characters. What looks like
// this may not be taken on trust where there is something to hide, unless that is so in hundreds of fields.
function isMasked(look, el, sure) {
  if (look !== null && look.unmasked >= TRUST && (!sure || --memo.masksAsked < 0)) return false;
  const style = styleOf(el);
  const masked = style.webkitTextSecurity !== 'none' || (memo.hasFonts && hidesText(style.fontFamily));
  if (look !== null) look.unmasked = masked ? -Infinity : look.unmasked + 1;
  return masked;
}
const pageFonts = getter(Document, 'fonts');

const masking = new Map();

function hidesText(families) {
  const family = families.split(',', 1)[0].trim();
  const known = masking.get(family);
  if (known !== undefined) return known;
  const plain = family.replace(/["']/g, '').toLowerCase();
  let isLoaded = false;
  for (const face of pageFonts.call(page)) {
    if (face.family.replace(/["']/g, '').toLowerCase() === plain) isLoaded = isLoaded || face.status === 'loaded';
  }
  // While it is not there the browser shows another one.
  if (!isLoaded) return false;
  const hides = looksAlike(family, 'i', 'W') || looksAlike(family, '1', '8');
  masking.set(family, hides);
  return hides;
}

function looksAlike(family, one, other) {
  const pen = new OffscreenCanvas(40, 40).getContext('2d', { willReadFrequently: true });
  pen.font = `20px ${family}`;
  if (pen.measureText(one).width !== pen.measureText(other).width) return false;
  const [a, b] = [one, other].map(letter => {
    pen.clearRect(0, 0, 40, 40);
    pen.fillText(letter, 8, 28);
    return pen.getImageData(0, 0, 40, 40).data;
  });
  return a.every((value, i) => value === b[i]);
}

// For one field outside of a walk: the kind of its secret, or ''. What has no name is called by what stands before it.
function secretOf(el) {
  const tag = tagOf(el);
  if (tag === 'input' ? UNTYPED.has(el.type) : tag !== 'textarea') {
    const host = tag === 'input' ? null : editingHost(el);
    return host ? secretKind(host, nameOf(host, roleOf(host)), null, true) : '';
  }
  const name = nameOf(el, roleOf(el, tag), tag);
  return secretKind(el, name, null, true) || (isBlank(name) ? hintedKind(nearbyText({ el, box: boxOf(el) })) : '');
}

// Fields that hold secrets, and frames with documents of others.
function secretParts() {
  const found = [];
  for (const root of allRoots()) {
    for (const el of queryAll(root, 'input,textarea,[contenteditable],iframe,frame,object,embed')) {
      const tag = tagOf(el);
      if (FRAME_TAGS.has(tag) ? isForeign(el, tag) : secretOf(el)) found.push(el);
    }
  }
  return found;
}
const FRAME_TAGS = wordSet('iframe frame object embed');

function isForeign(el, tag) {
  if (tag === 'embed') return has(el, 'src');
  try {
    return el.contentWindow !== null && el.contentWindow.origin !== self.origin;
  } catch {
    return true;
  }
}

const hintedKind = hint => hint ? wordsKind('', hint) : '';

function editingHost(el) {
  if (el.isContentEditable !== true) return null;
  for (let up = el; up; up = flatParent(up)) if (isEditableRoot(up)) return up;
  return el;
}

// A password field may be swapped for a plain one before anybody looks.
new MutationObserver(records => {
  for (const { target, oldValue } of records) if (/^password$/i.test(oldValue)) oncePassword.add(target);
}).observe(page, { subtree: true, attributes: true, attributeFilter: ['type'], attributeOldValue: true });

// Where things are and whether a person can see them: clips, scroll areas, the viewport.

const SHOWN = { visibilityProperty: true, opacityProperty: true };
const GONE = 0, BOXLESS = 1, UNSEEN = 2, SEEN = 3;

// GONE: neither the element nor anything in it is shown. UNSEEN: visibility:hidden, parts of it may still show.
// BOXLESS: display:contents, only its parts show.
function seenAs(look, rendered) {
  if (rendered && !look.opaque) return GONE;
  if (!look.visible) return UNSEEN;
  return rendered ? SEEN : BOXLESS;
}

const isVisible = el => whyUnseen(el) === '';

// A region {l t r b} in which things are seen, and {rl rt rr rb} to which scrolling can bring them.
const clipOf = (l, t, r, b, rl, rt, rr, rb) => ({ l, t, r, b, rl, rt, rr, rb, gone: false });

function rootPlaces() {
  const root = rootElementOf.call(page);
  const width = innerWidth, height = innerHeight;
  const fixed = clipOf(0, 0, width, height, 0, 0, width, height);
  if (!root) return { flow: fixed, abs: fixed, fixed, away: false, out: false };
  const scroller = scrollingOf.call(page) || root;
  const right = styleOf(root).direction === 'rtl';
  const extent = scrollWidthOf.call(scroller);
  const left = -scrollLeftOf.call(scroller) - (right ? extent - clientWidthOf.call(scroller) : 0);
  const top = -scrollTopOf.call(scroller);
  const flow = clipOf(0, 0, width, height, left, top, left + Math.max(extent, width),
    top + Math.max(scrollHeightOf.call(scroller), height));
  return { flow, abs: flow, fixed, away: false, out: false };
}

const isAway = (box, clip) => box.r <= clip.rl || box.b <= clip.rt || box.l >= clip.rr || box.t >= clip.rb;
const isOff = (box, clip) => box.r <= clip.l || box.b <= clip.t || box.l >= clip.r || box.t >= clip.b;
const isTiny = box => box.r - box.l <= 1 || box.b - box.t <= 1;

const clipFor = (position, places) =>
  position === 'absolute' ? places.abs : position === 'fixed' ? places.fixed : places.flow;

// The places of an element's contents, from those of its flat-tree parent.
function placesIn(el, tag, look, up) {
  const { position, overflow } = look;
  const moved = isTransformed(look, el);
  if (look.inFlow && !moved) return up;
  const own = clipFor(position, up);
  const out = up.out || position === 'absolute' || position === 'fixed';
  const places = { flow: own, abs: up.abs, fixed: up.fixed, away: up.away, out };
  if (tag === 'html' || tag === 'body') return places;
  let box = null;
  if (overflow !== 'visible' && look.display !== 'inline' && look.display !== 'contents') {
    box = boxOf(el);
    places.flow = clipBy(el, box, overflow, own);
  }
  if (position !== 'static' || moved) {
    box = box || boxOf(el);
    if (!isEmpty(box)) places.away = isAway(box, own);
    if (out && isClippedAway(look, el)) places.flow = { ...places.flow, gone: true };
    places.abs = places.flow;
    if (moved) places.fixed = places.flow;
  }
  return places;
}

const isEmpty = box => (box.r - box.l) * (box.b - box.t) < 1;
const isClippedAway = (look, el) => {
  if (look.position !== 'absolute' && look.position !== 'fixed') return false;
  const style = styleOf(el);
  const clip = style.clip;
  if (clip !== 'auto' && /^rect\((\S+), \1, \1, \1\)$|^rect\(0px, 0px, 0px, 0px\)$/.test(clip)) return true;
  const path = style.clipPath;
  return path !== 'none' && /^(inset\((50|100)%\)|circle\(0|polygon\(0px 0px, 0px 0px)/.test(path);
};

function clipBy(el, box, overflow, outer) {
  const left = box.l + clientLeftOf.call(el), top = box.t + clientTopOf.call(el);
  const width = clientWidthOf.call(el), height = clientHeightOf.call(el);
  let rl = left - scrollLeftOf.call(el), rt = top - scrollTopOf.call(el);
  let rr = rl + scrollWidthOf.call(el), rb = rt + scrollHeightOf.call(el);
  const extra = scrollWidthOf.call(el) - width;
  if (extra > 0 && styleOf(el).direction === 'rtl') {
    rl -= extra;
    rr -= extra;
  }
  if (overflow === 'clip') [rl, rt, rr, rb] = [left, top, left + width, top + height];
  const clip = clipOf(Math.max(left, outer.l), Math.max(top, outer.t), Math.min(left + width, outer.r),
    Math.min(top + height, outer.b), rl, rt, rr, rb);
  clip.gone = outer.gone || width <= 1 || height <= 1 || isAway(box, outer);
  return clip;
}

const SEE_NOT = 0, SEE_OFF = 1, SEE_NOW = 2;

function sight(box, clip) {
  if (clip.gone || isEmpty(box) || isAway(box, clip)) return SEE_NOT;
  return isOff(box, clip) ? SEE_OFF : SEE_NOW;
}

// An inline or contents box can be empty while what it holds is not (a link round a floated picture).
function fullBox(el) {
  const own = boxOf(el);
  if (!isEmpty(own)) return own;
  let box = null;
  let looks = 0;
  const stack = [el];
  while (stack.length && looks < 40) {
    for (let child = firstElementOf.call(stack.pop()); child && looks < 40; child = nextElementOf.call(child)) {
      looks += 1;
      const inner = boxOf(child);
      if (isEmpty(inner)) stack.push(child);
      else box = box ? union(box, inner) : inner;
    }
  }
  return box || own;
}

const union = (a, b) =>
  ({ l: Math.min(a.l, b.l), t: Math.min(a.t, b.t), r: Math.max(a.r, b.r), b: Math.max(a.b, b.b) });

function imagesByMap(root) {
  let images = memo.maps.get(root);
  if (!images) {
    images = new Map();
    for (const image of queryAll(root, 'img[usemap]')) images.set(attr(image, 'usemap'), image);
    memo.maps.set(root, images);
  }
  return images;
}

// An image map's areas have no boxes; their shapes are relative to the picture that uses the map.
function areaBox(el) {
  const map = closest.call(el, 'map');
  const image = map && imagesByMap(getRootNode.call(el)).get('#' + attr(map, 'name'));
  if (!image || !checkVisibility.call(image, SHOWN)) return boxOf(el);
  const box = boxOf(image);
  const numbers = (attr(el, 'coords') || '').split(',').slice(0, 1000).map(Number);
  const shape = (attr(el, 'shape') || 'rect').toLowerCase();
  if (shape === 'default' || numbers.length < 3 || numbers.some(Number.isNaN)) return box;
  const [a, b, c] = numbers;
  if (shape.startsWith('circ')) return { l: box.l + a - c, t: box.t + b - c, r: box.l + a + c, b: box.t + b + c };
  const xs = numbers.filter((_, i) => i % 2 === 0), ys = numbers.filter((_, i) => i % 2 === 1);
  const l = box.l + Math.min(...xs), t = box.t + Math.min(...ys);
  return { l, t, r: box.l + Math.max(...xs), b: box.t + Math.max(...ys) };
}

const anyBox = (el, tag) => tag === 'area' ? areaBox(el) : fullBox(el);

// For one element outside of a walk: its flat-tree ancestors' places from the root down.
function placesAround(el) {
  const path = [];
  for (let up = flatParent(el); up; up = flatParent(up)) path.push(up);
  let places = rootPlaces();
  for (const up of path.reverse()) places = placesIn(up, tagOf(up), lookAt(up), places);
  return places;
}

// The visible label of a field that is not shown itself: what people press instead.
function standInFor(el) {
  const tag = tagOf(el);
  if ((tag !== 'input' && tag !== 'select') || has(el, 'inert')) return null;
  return labelsOf(el).slice(0, 10).find(label => whyUnseen(label) === '') || null;
}

function whyUnseen(el) {
  const styles = [];
  for (let up = el; up; up = flatParent(up)) styles.push([up, styleOf(up)]);
  if (styles.some(([, style]) => style.display === 'none')) return 'display: none';
  const [[, own]] = styles;
  if (own.visibility !== 'visible') return 'visibility: ' + own.visibility;
  const clear = isTransparentControl(el) ? styles.slice(1) : styles;
  if (clear.some(([, style]) => style.opacity === '0')) return 'opacity: 0';
  if (!checkVisibility.call(el) && own.display !== 'contents') return 'content-visibility: hidden';
  if (styles.some(([up]) => has(up, 'inert'))) return 'inert';
  return whyOut(el);
}

function whyOut(el) {
  const box = anyBox(el, tagOf(el));
  const look = lookAt(el);
  const clip = clipFor(look.position, placesAround(el));
  if (isEmpty(box)) return 'zero size';
  if (clip.gone || isTiny(box) || isClippedAway(look, el)) return 'clipped';
  return isAway(box, clip) ? 'outside the page' : '';
}

// One pass over the flat tree. Iterative: a page may be nested deeper than the stack. What an element is worth is
// often known only after its contents (a list matters if something in it can be clicked), so nodes are noted on the
// way in, judged on the way out, and given their depth at the end.

const COUNTED = 'a[href],button,input:not([type=hidden]),select,textarea,summary,[role=button],[role=link],' +
  '[role=checkbox],[role=tab],[role=menuitem],[contenteditable=true]';
const CLOSED_TAGS = wordSet('input textarea select iframe frame video audio canvas img progress meter embed hr br wbr');
const HOST_TAGS = wordSet('article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span');
const MAX_HOSTS = 200, MIN_HOST = 8, MAX_RUN = 2000, MAX_GENERIC_NAME = 120;

// An element on the path from the root to where the walk is.
class Frame {
  constructor(el, tag, up, look) {
    this.el = el;
    this.tag = tag;
    this.up = up;
    this.look = look;
    this.next = this.list = this.own = this.places = null;
    this.index = this.start = this.end = this.bits = 0;
    this.seen = true;
    this.scrolls = false;
    this.inline = look.inline;
    // Handed down: the node this is in, what lies around it, and what is not wanted inside it.
    this.record = up && up.record;
    this.within = up && up.within;
    this.layer = up ? up.layer : 0;
    this.mute = up !== null && up.mute;
    this.only = up !== null && up.only;
    this.aria = up !== null && up.aria;
    this.disabled = up !== null && up.disabled;
    this.role = '';
    this.grid = up ? up.grid : '';
  }

  mark() {
    if (!this.aria && isOn(this.el, 'aria-hidden')) this.aria = this.mute = true;
    if (!this.disabled && isOn(this.el, 'aria-disabled')) this.disabled = true;
  }

  // Whether a child without a box is so only by display:contents. Its style is not to be asked for where content is
  // skipped: that would make the browser style the whole skipped subtree.
  hasBoxless(child) {
    return !this.look.skips && styleOf(child).display === 'contents';
  }

  open() {
    const { el, tag } = this;
    const first = isClosed(el, tag) ? summaryOnly(el) : flatFirst(el, tag);
    if (Array.isArray(first)) this.list = first;
    else this.next = first;
  }

  take() {
    if (this.list !== null) return this.index < this.list.length ? this.list[this.index++] : null;
    const node = this.next;
    if (node !== null) this.next = nextOf.call(node);
    return node;
  }
}

// A node to be: an element, or a run of text where `el` is null.
class Record {
  constructor(el, role, name, tag, up) {
    this.el = el;
    this.role = role;
    this.name = name;
    this.tag = tag;
    this.up = up;
    this.flags = 0;
    this.extra = this.box = this.items = null;
    this.kind = '';
    this.weak = 0;
    this.keep = false;
    // Where it starts and ends: in visits, in records; how many nodes there were before it; its depth for others.
    this.start = this.end = this.index = this.last = this.before = this.keptBefore = this.inner = 0;
  }
}

class Walk {
  constructor({ max_visit = 300000, max_nodes = 50000, max_ms = 3000 } = {}) {
    freshMemo();
    this.limits = { visit: max_visit, nodes: max_nodes, end: performance.now() + max_ms };
    this.records = [];
    // Fields only: nothing else can be met twice, once itself and once through its label.
    this.fields = new Map();
    this.standIns = [];
    this.visited = this.hidden = this.interactives = this.kept = this.hostLooks = 0;
    this.partial = this.text = '';
    this.hosts = [];
    this.outOfFlow = [];
    this.modal = this.textFrame = this.line = null;
    this.focus = activeElement();
    this.fullscreen = fullscreenOf.call(page);
    this.root = rootPlaces();
  }

  run(start) {
    const base = this.frame = this.ground(start);
    if (base !== null) this.enter(start, base);
    while (this.frame !== base) {
      const frame = this.frame;
      const node = this.partial === '' ? frame.take() : null;
      if (node === null) {
        this.frame = frame.up;
        this.leave(frame);
      } else {
        const type = typeOf.call(node);
        if (type === TEXT) this.say(node, frame);
        else if (type === ELEMENT) this.enter(node, frame);
      }
    }
    this.breakLine();
    this.useStandIns();
    return this;
  }

  // The frame the walk stands on: the start's ancestors, looked at but not noted. Null where they hide everything.
  ground(start) {
    const path = [];
    for (let up = flatParent(start); up; up = flatParent(up)) path.push(up);
    let frame = new Frame(null, '', null, new Look());
    frame.places = this.root;
    for (const el of path.reverse()) {
      frame = new Frame(el, tagOf(el), frame, lookAt(el));
      if (!frame.look.opaque || has(el, 'inert')) return null;
      frame.seen = frame.look.visible;
      frame.mark();
    }
    return frame;
  }

  enter(el, up) {
    this.visited += 1;
    if (this.visited > this.limits.visit) this.partial = 'visits';
    else if ((this.visited & 63) === 0 && performance.now() > this.limits.end) this.partial = 'time';
    const tag = tagOf(el);
    if (tag === 'br') return this.saySpace(up);
    if (tagFacts(tag).unseen) return;
    const rendered = checkVisibility.call(el);
    if (!rendered && !up.hasBoxless(el)) return this.pass(el, tag, up);
    const bits = bitsOf(el);
    const look = lookUnder(up.look, el, tag, bits, up.seen);
    const seen = seenAs(look, rendered);
    if (seen === GONE) return this.pass(el, tag, up);
    if (seen === SEEN && this.isPlain(el, up, look, bits)) return this.sayPlain(el, up, look);
    if (bits & A_MARK && has(el, 'inert')) return this.count(el);
    const frame = new Frame(el, tag, up, look);
    frame.bits = bits;
    frame.seen = seen !== UNSEEN;
    frame.start = this.visited;
    if (bits & A_MARK) frame.mark();
    if (!frame.inline) this.breakLine();
    if (!look.inFlow || tag === 'dialog' || bits & A_MARK || el === this.fullscreen) this.layers(frame);
    this.note(frame, seen);
    if (look.tag.closed) return this.leave(frame);
    if (look.tag.host) this.askAbout(el, look.tag.custom);
    if (isClosed(el, tag)) this.countClosed(el);
    frame.open();
    this.frame = frame;
  }

  // Most elements of most pages: nothing to use, nothing out of place, no parts but one text.
  isPlain(el, up, look, bits) {
    if (bits & (A_ROLE | A_MARK) || look.tag.walked || !look.inFlow || look.skips || look.captcha) return false;
    if ((look.pointer && !up.look.pointer) || clickables.has(el)) return false;
    const first = firstOf.call(el);
    return first !== null && typeOf.call(first) === TEXT && nextOf.call(first) === null && rootOf(el) === null;
  }

  saySpace(frame) {
    if (this.text !== '' && !frame.mute) this.text += ' ';
  }

  sayPlain(el, up, look) {
    if (!look.inline) this.breakLine();
    this.say(firstOf.call(el), up);
    if (!look.inline) this.breakLine();
  }

  leave(frame) {
    frame.end = this.visited;
    if (!frame.inline) this.breakLine();
    else if (frame.own) this.flush();
    if (frame.own) this.judge(frame.own, frame);
  }

  // What lies over other things: the top layer, dialogs, out-of-flow boxes; and what scrolls by itself.
  layers(frame) {
    const { el, tag, look } = frame;
    if (look.position !== 'static' && look.position !== 'relative') this.float(frame);
    if (tag === 'dialog' || (frame.bits & A_MARK && has(el, 'popover'))) {
      if (matches.call(el, ':modal')) this.modal = frame;
      if (matches.call(el, ':modal,:popover-open')) frame.layer |= TOP;
    }
    if (el === this.fullscreen) frame.layer |= TOP;
    if (/auto|scroll/.test(look.overflow) && !frame.inline && tag !== 'body' && tag !== 'html' && tag !== 'textarea') {
      frame.scrolls = scrollHeightOf.call(el) - clientHeightOf.call(el) > 50 ||
        scrollWidthOf.call(el) - clientWidthOf.call(el) > 50;
    }
  }

  float(frame) {
    const box = boxOf(frame.el);
    if (isEmpty(box) || isOff(box, this.root.flow)) return;
    const style = styleOf(frame.el);
    if (style.pointerEvents === 'none') return;
    const width = Math.min(box.r, innerWidth) - Math.max(box.l, 0);
    const height = Math.min(box.b, innerHeight) - Math.max(box.t, 0);
    this.outOfFlow.push({ frame, box, fixed: frame.look.position === 'fixed', z: style.zIndex,
                          share: width * height / (innerWidth * innerHeight || 1) });
  }

  placesOf(frame) {
    if (frame.places !== null) return frame.places;
    const path = [];
    let up = frame;
    for (; up.places === null; up = up.up) path.push(up);
    let places = up.places;
    for (let i = path.length - 1; i >= 0; i -= 1) {
      const inner = path[i];
      places = inner.places = placesIn(inner.el, inner.tag, inner.look, places);
    }
    return places;
  }

  say(node, frame) {
    if (frame.mute || !frame.seen || frame.look.skips || this.text.length > MAX_DATA) return;
    const data = textData(node);
    if (this.text === '') {
      if (isWhite(data)) return;
      this.textFrame = frame;
    }
    this.text += data;
  }

  // Ends the current run of text and notes it.
  flush() {
    if (this.text === '') return;
    const text = squash(this.text);
    const frame = this.textFrame;
    this.text = '';
    if (text === '') return;
    if (!this.isReadable(frame)) return;
    const record = new Record(null, 'text', cut(text, MAX_RUN), '', frame.record);
    record.kind = 'text';
    record.keep = true;
    record.flags = frame.layer;
    record.start = record.end = this.visited;
    this.push(record);
    this.kept += 1;
    this.onLine(record);
    this.line.text = true;
  }

  isReadable(frame) {
    const { away, flow } = this.placesOf(frame);
    if (away) return false;
    if (flow.gone) return standsForAriaHidden(frame);
    return flow === this.root.flow || !isAway(boxOf(frame.el), flow);
  }

  push(record) {
    record.index = record.last = this.records.length;
    this.records.push(record);
    if (this.records.length >= this.limits.nodes) this.partial = 'nodes';
  }

  onLine(record) {
    const { line } = this;
    if (line === null) this.line = { text: false, later: null };
    else if (line.later === null) line.later = [record];
    else line.later.push(record);
  }

  breakLine() {
    this.flush();
    if (this.line === null) return;
    const { text, later } = this.line;
    // What goes on a line that something else began.
    if (text && later !== null) for (const record of later) record.flags |= INLINE;
    this.line = null;
  }

  // An element that is not shown: counted, unless it is a transparent control over a drawn one.
  pass(el, tag, up) {
    if ((tag === 'input' || tag === 'select') && this.rescue(el, tag, up)) return;
    if (tag === 'area' && up.seen && has(el, 'href') && this.strong(this.leafFrame(el, tag, up), 'link')) return;
    this.count(el);
  }

  count(el) {
    if (matches.call(el, COUNTED)) this.hidden += 1;
    if (firstElementOf.call(el)) this.hidden += queryAll(el, COUNTED).length;
  }

  countClosed(el) {
    const summary = firstChildNamed(el, 'summary');
    for (let part = firstElementOf.call(el); part; part = nextElementOf.call(part)) {
      if (part !== summary) this.count(part);
    }
  }

  rescue(el, tag, up) {
    if (!up.seen || !isTransparentControl(el)) return false;
    const record = this.strong(this.leafFrame(el, tag, up), roleOf(el, tag));
    // The browser's own caption cannot be seen on it.
    if (record && record.name === DEFAULT_NAMES[el.type]) record.name = '';
    return record !== null;
  }

  leafFrame(el, tag, up) {
    const frame = new Frame(el, tag, up, lookAt(el));
    frame.bits = bitsOf(el);
    frame.start = frame.end = this.visited;
    return frame;
  }

  askAbout(el, custom) {
    if (!custom && firstOf.call(el) !== null) return;
    if (this.hosts.length >= MAX_HOSTS || askedHosts.has(el) || rootOf(el)) return;
    if (custom) this.hosts.push(idOf(el));
    else if (++this.hostLooks < MAX_HOSTS * 2 && isFilledUnseen(el)) this.hosts.push(idOf(el));
  }
}

// Takes up room though it has no contents, and no decoration that explains it: there may be a closed shadow root.
function isFilledUnseen(el) {
  const box = boxOf(el);
  if (box.r - box.l < MIN_HOST || box.b - box.t < MIN_HOST) return false;
  const { backgroundImage, maskImage } = styleOf(el);
  return backgroundImage === 'none' && maskImage === 'none' && generatedText(el, '::before') === '' &&
    generatedText(el, '::after') === '';
}

// Custom check boxes and file fields are transparent controls over something drawn; people see and click them.
function isTransparentControl(el) {
  const tag = tagOf(el);
  if (tag !== 'select' && (tag !== 'input' || !/^(checkbox|radio|file|range)$/.test(el.type))) return false;
  const style = styleOf(el);
  if (style.display === 'none' || style.visibility !== 'visible' || style.opacity !== '0') return false;
  const box = boxOf(el);
  return box.r - box.l >= 6 && box.b - box.t >= 6;
}

// Text drawn twice, once for eyes and once clipped for screen readers ($12.99), is read from the second.
function standsForAriaHidden(frame) {
  for (let at = frame, levels = 0; at.el && levels < 3; at = at.up, levels += 1) {
    for (const beside of [nextElementOf.call(at.el), previousElementOf.call(at.el)]) {
      if (beside && isOn(beside, 'aria-hidden') && checkVisibility.call(beside, SHOWN) &&
          !isWhite(textOf.call(beside).slice(0, 200))) return true;
    }
  }
  return false;
}

function activeElement() {
  let active = activeOf.document.call(page);
  while (active) {
    const root = rootOf(active);
    const inner = root && activeOf.fragment.call(root);
    if (!inner) break;
    active = inner;
  }
  return active && active !== rootElementOf.call(page) && tagOf(active) !== 'body' ? active : null;
}

// Which elements become nodes on the way in.

const KINDS = new Map(Object.entries({
  heading: 'heading', region: 'named', form: 'named', group: 'named', radiogroup: 'named', figure: 'named',
  dialog: 'box', alertdialog: 'box', alert: 'box', status: 'box', log: 'box', tooltip: 'box',
  progressbar: 'live', meter: 'live', table: 'table', grid: 'table', treegrid: 'table', row: 'row', cell: 'cell',
  gridcell: 'cell', columnheader: 'cell', rowheader: 'cell', list: 'list', listitem: 'item', img: 'img',
  iframe: 'frame', banner: 'box', navigation: 'box', main: 'box', complementary: 'box', contentinfo: 'box',
  search: 'box', article: 'box', tablist: 'box', tabpanel: 'box', menu: 'box', menubar: 'box', toolbar: 'box',
  tree: 'box',
}));
const CAPTCHA_CLASS = '.g-recaptcha,.h-captcha,.cf-turnstile';
// These are nothing if they have no box; of the others a box would tell nobody anything.
const BOXED_KINDS = wordSet('heading live frame img scroll captcha');
const BOXED_ROLES = wordSet('dialog alertdialog alert status');
const NAMED_KINDS = wordSet('heading named box img frame live');
// Text inside these is their name or value, and only what can be used by itself is noted inside them.
const LEAF_ROLES = wordSet(`button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option slider
  spinbutton textbox searchbox combobox doc-backlink doc-biblioref doc-glossref doc-noteref`);
// Focused by scripts to be read out, not to be used.
const READ_ROLES = wordSet(`dialog alertdialog tabpanel heading main region navigation alert status log tooltip document
  application article`);
// Elements whose own meaning can make them a node. The rest is text and boxes.
const WALKED_TAGS = new Set([...NATIVE.keys()].filter(tag => {
  const role = NATIVE.get(tag);
  return typeof role === 'function' || INTERACTIVE_ROLES.has(role) || KINDS.has(role);
}).concat('label', 'legend', 'caption', 'audio', 'video', 'object', 'embed', 'slot', 'br', 'hr', 'details'));

Object.assign(Walk.prototype, {
  note(frame, seen) {
    const { el, tag, bits } = frame;
    const marked = (bits & (A_ROLE | A_MARK)) !== 0;
    const role = frame.role = marked || frame.look.tag.walked ? this.roleIn(frame, marked) : 'generic';
    if (marked || tag === 'dialog') frame.layer |= this.overlay(frame, role);
    if (tag === 'label') this.label(frame);
    else if (tag === 'legend' || tag === 'caption') muteTitle(frame);
    if (isStrong(el, tag, role, marked)) {
      if (!frame.seen) this.hidden += 1;
      else if (this.strong(frame, role) !== null || seen === SEEN) return;
    }
    if (!frame.seen) return;
    const weak = seen === BOXLESS ? 0 : this.weakness(frame, role, marked);
    const kind = this.kindFor(frame, role);
    if (kind !== '' || weak !== 0) this.provisional(frame, role, kind, weak);
  },

  // Parts of tables and lists take their role from what is around them, which the walk already knows.
  roleIn(frame, marked) {
    const { tag, grid, up } = frame;
    if (!marked) {
      if (tag === 'td' && up.role === 'row') return grid === 'grid' || grid === 'treegrid' ? 'gridcell' : 'cell';
      if (tag === 'tr' && (up.role === 'rowgroup' || up.role === 'table')) return 'row';
      if (tag === 'li' && up.role === 'list') return 'listitem';
    }
    return roleOf(frame.el, tag, frame.bits);
  },

  overlay(frame, role) {
    if (frame.layer & (TOP | OVERLAY)) return 0;
    if (role !== 'dialog' && role !== 'alertdialog' && !isOn(frame.el, 'aria-modal')) return 0;
    return this.placesOf(frame).out ? OVERLAY : 0;
  },

  // What has a use by its nature: noted at once, since nothing inside can change that.
  strong(frame, role) {
    const { el, tag, look } = frame;
    const isField = tag === 'input' || tag === 'select';
    if (isField && this.fields.has(el)) return null;
    const box = anyBox(el, tag);
    const sightNow = this.sightOf(frame, box);
    if (sightNow === SEE_NOT) {
      this.hidden += 1;
      frame.mute = true;
      return null;
    }
    const record = this.record(frame, role, box, sightNow);
    if (isField) this.fields.set(el, record);
    record.name = (isField ? memo.names.get(el) : null) ?? nameOf(el, role, tag, look, frame.bits);
    record.flags |= INTERACTIVE;
    if (clickables.has(el) || (frame.bits & A_MARK && has(el, 'onclick'))) record.flags |= LISTENER;
    this.finish(record, frame.bits, look);
    if (frame.inline) this.onLine(record);
    const leaf = LEAF_ROLES.has(role);
    frame.mute = frame.mute || leaf || NAMED_BY_CONTENT.has(role);
    frame.only = true;
    if (leaf) frame.within = record;
    if (role === 'listbox' && tag === 'select') this.options(frame);
    return record;
  },

  sightOf(frame, box) {
    if (isTiny(box) || isClippedAway(frame.look, frame.el)) return SEE_NOT;
    return sight(box, clipFor(frame.look.position, this.placesOf(frame.up)));
  },

  // Listener, handler, tab stop (1) or pointer cursor: a use, but not a reason to hide what is inside.
  weakness(frame, role, marked) {
    const { el, tag, up } = frame;
    if (tag === 'body' || tag === 'html' || (tag === 'label' && el.control)) return 0;
    let weak = 0;
    if (frame.look.pointer && !up.look.pointer && !frame.within && !frame.aria) weak |= POINTER;
    if (clickables.has(el) || (marked && has(el, 'onclick'))) weak |= LISTENER;
    if (marked && tabStop(el) >= 0 && !READ_ROLES.has(role) && !frame.scrolls) weak |= 1;
    return weak;
  },

  kindFor(frame, role) {
    if (frame.only || frame.aria) return role === 'iframe' ? 'frame' : '';
    const kind = KINDS.get(role);
    if (kind === 'table') {
      frame.grid = isDataTable(frame.el, frame.tag, role) ? role : '';
      return frame.grid ? kind : '';
    }
    if ((kind === 'row' || kind === 'cell') && !frame.grid) return '';
    if (kind) return kind;
    if (frame.layer & TOP && !(frame.up.layer & TOP)) return 'box';
    if (frame.scrolls) return 'scroll';
    return frame.look.captcha && matches.call(frame.el, CAPTCHA_CLASS) ? 'captcha' : '';
  },

  provisional(frame, role, kind, weak) {
    const { el, tag, look } = frame;
    let box = null, sightNow = SEE_NOW;
    const boxed = BOXED_KINDS.has(kind);
    if (weak !== 0 || boxed || BOXED_ROLES.has(role)) {
      box = anyBox(el, tag);
      sightNow = this.sightOf(frame, box);
      if (sightNow === SEE_NOT) {
        if (kind === '' || boxed) return;
        weak = 0;
      }
    }
    const record = this.record(frame, role, box, sightNow);
    record.kind = kind;
    record.weak = weak;
    record.flags |= weak & ~1;
    if (weak !== 0 && frame.inline) this.onLine(record);
    if (role === 'tooltip') record.name = nameWithoutContent(el, tag, role);
    else if (NAMED_KINDS.has(kind)) record.name = nameOf(el, role, tag, look, frame.bits);
    if (kind === 'heading' || (kind === 'img' && record.name !== '')) frame.mute = frame.only = true;
    if (kind === 'list') record.items = [];
    if (kind === 'item') joinList(record);
  },

  record(frame, role, box, sightNow) {
    this.flush();
    const record = new Record(frame.el, role, '', frame.tag, frame.up.record);
    record.box = box;
    record.start = record.end = frame.start;
    record.before = this.interactives;
    record.keptBefore = this.kept;
    record.flags = frame.layer | (sightNow === SEE_OFF ? OFFSCREEN : 0) | (frame.disabled ? DISABLED : 0) |
      (frame.scrolls ? SCROLLS : 0) | (frame.el === this.focus ? FOCUSED : 0);
    frame.own = frame.record = record;
    this.push(record);
    return record;
  },

  finish(record, bits = bitsOf(record.el), look = null) {
    readStates(record, bits, look);
    record.keep = true;
    this.kept += 1;
    if (record.flags & INTERACTIVE) this.interactives += 1;
  },

  // The visible rows of a native list box can be clicked; those of a closed one are only values.
  options(frame) {
    for (const option of queryAll(frame.el, 'option')) {
      if (this.partial !== '') return;
      this.visited += 1;
      if (this.visited > this.limits.visit) this.partial = 'visits';
      if (!checkVisibility.call(option, SHOWN)) continue;
      const inner = new Frame(option, 'option', frame, lookAt(option));
      inner.start = this.visited;
      this.strong(inner, 'option');
    }
  },

  // A label's text is its control's name. Where the control is never seen, the label will stand for it.
  label(frame) {
    const control = frame.el.control;
    if (!control || !frame.seen) return;
    const tag = tagOf(control);
    const name = rememberedName(control, roleOf(control, tag), tag);
    const text = squash(textOf.call(frame.el).slice(0, MAX_DATA));
    if (text && (name.includes(text) || name === labelText(control))) frame.mute = true;
    if (frame.only || this.fields.has(control) || (tag !== 'input' && tag !== 'select')) return;
    const record = new Record(control, '', name, tag, frame.up.record);
    record.start = record.end = frame.start;
    record.flags = frame.layer | (frame.disabled ? DISABLED : 0);
    this.flush();
    this.push(record);
    this.standIns.push({ record, frame });
  },

  useStandIns() {
    for (const { record, frame } of this.standIns) {
      const { el, tag } = record;
      if (this.fields.has(el)) continue;
      const box = boxOf(frame.el);
      const sightNow = this.sightOf(frame, box);
      if (sightNow === SEE_NOT || (tag === 'input' && el.type === 'hidden')) continue;
      this.fields.set(el, record);
      record.role = roleOf(el, tag);
      record.box = box;
      record.flags |= INTERACTIVE | (sightNow === SEE_OFF ? OFFSCREEN : 0) | (el === this.focus ? FOCUSED : 0);
      this.hidden = Math.max(0, this.hidden - 1);
      this.finish(record);
    }
  },
});

function joinList(record) {
  let list = record.up;
  while (list !== null && list.kind !== 'list') list = list.kind === 'item' ? null : list.up;
  if (list !== null) list.items.push(record);
}

// The title of a group or table is its name already.
function muteTitle(frame) {
  const { record, el } = frame;
  if (record && record.el === parentOf.call(el)) frame.mute = true;
}

function isStrong(el, tag, role, marked) {
  if (INTERACTIVE_ROLES.has(role)) return tag !== 'option' || role !== 'option';
  if (tag === 'input') return el.type !== 'hidden';
  if (tag === 'audio' || tag === 'video') return has(el, 'controls');
  if (!marked) return false;
  if (role === 'scrollbar' || role === 'gridcell') return tabStop(el) >= -1;
  return isEditableRoot(el);
}

function isDataTable(el, tag, role) {
  if (tag !== 'table' || role !== 'table' || has(el, 'role')) return true;
  if (el.caption || el.tHead || queryAll(el, ':scope > tr > th, :scope > * > tr > th').length) return true;
  const rows = el.rows;
  if (rows.length < 2 || queryAll(el, 'table').length) return false;
  const width = rows[0].cells.length;
  for (let i = 1; i < rows.length && i < 10; i += 1) if (rows[i].cells.length !== width) return false;
  return width > 1;
}

// What is decided about noted elements on the way out, once their contents are known.

const CAPTCHA = /recaptcha|hcaptcha|turnstile|challenges\.cloudflare\.com|arkoselabs|funcaptcha/i;
const MAX_OWN_TEXTS = 100, MAX_CELL_PARTS = 20, MAX_PARTS = 12, MAX_PART_TEXT = 20;

Object.assign(Walk.prototype, {
  judge(record, frame) {
    record.last = this.records.length - 1;
    record.end = this.visited;
    if (record.keep) return;
    if (record.weak !== 0) this.judgeWeak(record, frame);
    if (!record.keep && record.kind !== '') {
      const wanted = JUDGES[record.kind](record, this.kept - record.keptBefore, this);
      if (wanted) this.finish(record);
    }
  },

  // Innermost first: what only listens or has a pointer and holds something usable is a container, unless it
  // starts the pointer cursor and has text of its own.
  judgeWeak(record, frame) {
    const inner = this.interactives - record.before;
    if (inner > 0 && !(record.weak & POINTER)) return;
    const own = this.ownTexts(record);
    if (inner > 0 && own.text === '') return;
    const text = own.text || (frame.mute ? mutedText(record, frame) : '');
    if (frame.within && text === frame.within.name) return;
    if (inner === 0 && this.splitParts(record, frame, own)) return;
    const author = nameWithoutContent(record.el, record.tag, record.role);
    record.name = author || cut(text, MAX_GENERIC_NAME);
    record.flags |= INTERACTIVE;
    this.finish(record);
    if (!author && own.text.length <= MAX_GENERIC_NAME) for (const said of own.records) this.drop(said);
  },

  drop(record) {
    record.keep = false;
    this.kept -= 1;
  },

  // Text, headings and pictures of a record that belong to nothing usable inside it.
  ownTexts(record) {
    const texts = [], records = [];
    for (let i = record.index + 1; i < this.records.length && records.length < MAX_OWN_TEXTS; i += 1) {
      const inner = this.records[i];
      if (!inner.keep) continue;
      if (inner.flags & INTERACTIVE) {
        i = inner.last;
      } else if (inner.kind === 'text' || inner.kind === 'heading' || inner.kind === 'img') {
        texts.push(inner.name);
        records.push(inner);
        i = inner.last;
      }
    }
    return { text: texts.join(' '), records };
  },

  // One pointer parent over several icons or labels alike: these are the things to click.
  splitParts(record, frame, own) {
    if (!(record.weak & POINTER) || clickables.has(record.el) || /^(tr|td|li|a)$/.test(record.tag)) return false;
    const parts = alikeParts(record.el, own.text !== '');
    if (parts.length < 2) return false;
    for (const said of own.records) this.drop(said);
    for (const el of parts) {
      const inner = new Frame(el, tagOf(el), frame, lookAt(el));
      inner.start = frame.start;
      const box = boxOf(el);
      const part = this.record(inner, roleOf(el), box, this.sightOf(inner, box));
      part.up = record;
      part.name = nameOf(el, part.role) || squash(textOf.call(el).slice(0, MAX_DATA));
      part.flags |= INTERACTIVE | POINTER;
      this.finish(part);
    }
    record.last = this.records.length - 1;
    return true;
  },
});

// Where text is not noted because it is part of another name.
const mutedText = ({ el, tag }, { look }) => squash(contentText(el, tag, newSearch(false, false), look, true));

// By kind: whether a node is worth its line. `inside` is how many nodes it holds.
const JUDGES = {
  heading: record => record.name !== '',
  named: (record, inside) => record.name !== '' && inside > 0,
  box: (record, inside) => inside > 0,
  live: () => true,
  img: record => record.name !== '',
  frame: record => { readFrame(record); return record.extra.cb[2] > 1 && record.extra.cb[3] > 1; },
  scroll: (record, inside) => inside > 0,
  captcha: (record, inside) => { fact(record).cap = true; return inside === 0; },
  table: (record, inside) => { record.name = nameOf(record.el, record.role, record.tag); return inside > 0; },
  row: (record, inside) => { record.name = nameWithoutContent(record.el, record.tag, 'row'); return inside > 0; },
  cell: (record, inside, walk) => { nameCell(record, walk); return inside > 0; },
  list: (record, inside, walk) => judgeList(record, walk),
  item: () => false,
};

function judgeList(record, walk) {
  record.name = nameWithoutContent(record.el, record.tag, 'list');
  if (record.name === '' && walk.interactives === record.before) return false;
  for (const item of record.items) if (!item.keep && item.last > item.index) walk.finish(item);
  return walk.kept > record.keptBefore;
}

// A cell that holds nothing but text is its text; otherwise its parts speak for themselves.
function nameCell(record, walk) {
  record.name = nameWithoutContent(record.el, record.tag, 'generic');
  const { records } = walk;
  if (record.name !== '' || records.length - record.index > MAX_CELL_PARTS) return;
  const texts = [];
  for (let i = record.index + 1; i < records.length; i += 1) {
    if (records[i].keep && records[i].kind !== 'text') return;
    if (records[i].keep) texts.push(records[i]);
  }
  record.name = cut(texts.map(text => text.name).join(' '), MAX_NAME);
  for (const text of texts) walk.drop(text);
}

// The name from attributes and host-language labels, without contents.
function nameWithoutContent(el, tag, role) {
  const bits = bitsOf(el);
  if (!(bits & A_NAME) && !NATIVE_NAMES[tag]) return '';
  const name = computeName(el, NAMED_BY_CONTENT.has(role) ? 'generic' : role, tag, null, bits);
  return cut(squash(name.slice(0, MAX_GATHERED)), MAX_NAME);
}

function alikeParts(el, hasText) {
  const parts = [];
  for (let node = firstOf.call(el); node; node = nextOf.call(node)) {
    const type = typeOf.call(node);
    if (type === TEXT && squash(textData(node))) return NONE;
    if (type === ELEMENT) parts.push(node);
    if (parts.length > MAX_PARTS) return NONE;
  }
  const [first] = parts;
  const isAlike = part => tagOf(part) === tagOf(first) && (!hasText || attr(part, 'class') === attr(first, 'class')) &&
    (!hasText || !firstElementOf.call(part)) && squash(textOf.call(part).slice(0, 200)).length <= MAX_PART_TEXT &&
    !isEmpty(boxOf(part));
  return parts.every(isAlike) ? parts : NONE;
}

function readFrame(record) {
  const { el, box } = record;
  const source = (attr(el, 'src') || '').slice(0, 2000) + ' ' + (attr(el, 'title') || '').slice(0, MAX_FACT);
  if (CAPTCHA.test(source)) fact(record).cap = true;
  const style = styleOf(el);
  const px = name => parseFloat(style[name]) || 0;
  const sx = (box.r - box.l) / (offsetWidthOf.call(el) || 1), sy = (box.b - box.t) / (offsetHeightOf.call(el) || 1);
  const [left, top, right, bottom] = ['Left', 'Top', 'Right', 'Bottom']
    .map(side => px(`border${side}Width`) + px(`padding${side}`));
  const l = box.l + left * sx, t = box.t + top * sy;
  fact(record).cb = [l, t, box.r - right * sx - l, box.b - bottom * sy - t].map(Math.round);
  if (Math.abs(sx - 1) < 0.01 && Math.abs(sy - 1) < 0.01) return;
  fact(record).sc = [sx, sy].map(n => Math.round(n * 1000) / 1000);
}

// After the pass: what covers what, hints for what has no name, and the nodes as plain arrays.

const MAX_HITS = 300, MAX_HIT_MS = 200;
const OVERLAY_SHARE = 0.25;

const isIn = (frame, record) => frame.start <= record.start && record.start <= frame.end;

function markLayers(walk) {
  if (walk.modal) {
    for (const record of walk.records) if (!isIn(walk.modal, record)) record.flags |= COVERED;
  }
  const candidates = walk.outOfFlow.filter(over => over.fixed && over.share >= OVERLAY_SHARE && Number(over.z) > 0);
  for (const over of candidates.slice(0, 8)) markOverlay(walk, over);
}

// A fixed box is an overlay only if something of the page lies under it.
function markOverlay(walk, over) {
  const under = walk.records.some(record => record.box && record.flags & INTERACTIVE && !(record.flags & OFFSCREEN) &&
    !isIn(over.frame, record) && !isOff(record.box, over.box));
  if (!under) return;
  for (const record of walk.records) if (isIn(over.frame, record)) record.flags |= OVERLAY;
}

function markCovered(walk) {
  const overs = walk.outOfFlow;
  if (!overs.length) return;
  const end = Math.min(performance.now() + MAX_HIT_MS, walk.limits.end);
  let hits = 0;
  for (const record of walk.records) {
    if (!record.keep || (record.flags & (INTERACTIVE | OFFSCREEN | COVERED)) !== INTERACTIVE) continue;
    const [x, y] = middle(record.box);
    const suspect = overs.some(({ frame, box }) => box.l <= x && x <= box.r && box.t <= y && y <= box.b &&
      !isIn(frame, record) && !(record.start <= frame.start && frame.start <= record.end));
    if (!suspect) continue;
    hits += 1;
    if (hits > MAX_HITS || performance.now() > end) return;
    if (isCovered(record)) record.flags |= COVERED;
  }
}

function middle(box) {
  const l = Math.max(box.l, 0), t = Math.max(box.t, 0);
  const r = Math.min(box.r, innerWidth), b = Math.min(box.b, innerHeight);
  return [(l + r) / 2, (t + b) / 2, (r - l) / 4, (b - t) / 4];
}

function isCovered(record) {
  const [x, y, dx, dy] = middle(record.box);
  const points = [[x, y], [x - dx, y - dy], [x + dx, y - dy], [x - dx, y + dy], [x + dx, y + dy]];
  return !points.some(([px, py]) => isHit(record.el, px, py));
}

function deepestAt(x, y) {
  let hit = atPoint.document.call(page, x, y);
  while (hit) {
    const root = rootOf(hit);
    const inner = root && atPoint.fragment.call(root, x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  return hit;
}

// Hit if the point is in the element, in a label of it, or in something that holds it (nothing is on top then).
function isHit(el, x, y) {
  const hit = deepestAt(x, y);
  if (!hit) return true;
  for (let up = hit; up; up = flatParent(up)) {
    if (up === el || (tagOf(up) === 'label' && up.control === el)) return true;
  }
  for (let up = el; up; up = flatParent(up)) if (up === hit) return true;
  return tagOf(el) === 'area' && tagOf(hit) === 'img';
}

function nodesOf(walk) {
  const nodes = [];
  for (const record of walk.records) {
    const depth = record.up ? record.up.inner : 0;
    record.inner = record.keep ? depth + 1 : depth;
    if (record.keep) nodes.push(nodeOf(record, depth));
  }
  return nodes;
}

function nodeOf(record, depth) {
  const { role, name, tag, box } = record;
  if (record.el === null) return record.flags === 0 ? [depth, role, name] : [depth, role, name, 0, record.flags];
  const blank = isBlank(name);
  if (blank && record.flags & INTERACTIVE) addHint(record);
  const node = [depth, role, blank ? '' : name, idOf(record.el), record.flags, tag];
  if (box) {
    const x = Math.round(box.l), y = Math.round(box.t);
    node.push(x, y, Math.round(box.r) - x, Math.round(box.b) - y);
  } else if (record.extra) {
    node.push(0, 0, 0, 0);
  }
  if (record.extra) node.push(record.extra);
  return node;
}

// Glyphs of icon fonts (private use) say nothing to a reader.
const BLANK = /^[\s\p{Co}\u200b-\u200f\u2060\ufeff]*$/u;
const isBlank = text => { const code = text.charCodeAt(0); return !(code > 32 && code < 0x2000) && BLANK.test(text); };

function toJson(value) {
  const text = JSON.stringify(value);
  if (!text.includes('\\ud')) return text;
  return JSON.stringify(value, (_, part) => typeof part === 'string' ? part.toWellFormed() : part);
}

function walkPage(options = {}) {
  const root = options.root ? elementOf(options.root) : rootElementOf.call(page);
  const walk = new Walk(options);
  if (root && connectedOf.call(root)) walk.run(root);
  markLayers(walk);
  markCovered(walk);
  const scroller = scrollingOf.call(page) || rootElementOf.call(page);
  const size = of => scroller ? Math.round(of.call(scroller)) : 0;
  const focused = walk.focus ? idOf(walk.focus) : 0;
  const nodes = nodesOf(walk);
  const result = toJson({
    url: addressOf.call(page), title: cut(squash(titleOf.call(page).slice(0, MAX_DATA)), MAX_NAME), origin: self.origin,
    vw: innerWidth, vh: innerHeight, sx: Math.round(scrollX), sy: Math.round(scrollY),
    dw: size(scrollWidthOf), dh: size(scrollHeightOf), focus: focused, nodes, visited: walk.visited,
    hidden: walk.hidden, partial: walk.partial, hosts: walk.hosts,
  });
  freshMemo();
  return result;
}

// Marked guesses ("~trash") for what has no accessible name. They are never names: a page's author did not say them.

const MAX_HINT = 40;
const MAX_ABOVE = 40;
const FIELD_ROLES = wordSet(`textbox searchbox combobox listbox spinbutton slider date time datetime month week color
  file checkbox radio switch`);
// Words of utility classes, frameworks and layouts, which say nothing of what a thing is for.
const DULL_WORDS = wordSet(`a b btn button buttons icon icons ico fa fas far fab fal fad glyphicon material symbols svg
  img image link links wrapper wrap container inner outer content item items col row flex grid block inline text label
  small medium large lg md sm xs xl primary secondary default active disabled hidden visible js is has ui mui css jsx
  sc root base box left right top bottom center header footer nav main component react ember ng vue input field form
  control rounded border shadow bg hover focus p m px py mx my pt pb mt mb w h the div span 2x 3x fw width height
  clickable cursor pointer position relative absolute none true false undefined null svgicon size color sprite use
  symbol`);

function addHint(record) {
  const { el, role } = record;
  const said = FIELD_ROLES.has(role) && record.tag !== 'button' ? nearbyText(record) : '';
  const hint = said || wordHint(el, record.tag);
  if (hint) fact(record).h = '~' + cut(hint, MAX_HINT - 1);
  const kind = said && (record.flags & (EDITABLE | SECRET)) === EDITABLE ? hintedKind(said) : '';
  if (kind) hide(record, kind);
}

function wordHint(el, tag) {
  for (const source of hintSources(el, tag)) {
    const words = hintWords(source);
    if (words) return words;
  }
  return '';
}

function* hintSources(el, tag) {
  yield attr(el, 'data-testid') || attr(el, 'data-test');
  yield attr(el, 'title');
  const parts = [...queryAll(el, 'svg,use,img,i,span')].slice(0, 10);
  for (const part of parts) if (tagOf(part) === 'svg') yield svgTitle(part);
  for (const part of [el, ...parts]) yield iconName(part);
  yield attr(el, 'id');
  yield attr(el, 'name');
  yield attr(el, 'class');
  for (const part of parts) yield attr(part, 'class');
  if (tag === 'a') yield lastSegment(attr(el, 'href') || '');
  yield attr(el, 'type');
}

// What an icon is called in the page's own files: a sprite's id, a picture's file name, an icon font's class.
function iconName(el) {
  const tag = tagOf(el);
  if (tag === 'use') return ((attr(el, 'href') || attr(el, 'xlink:href') || '').split('#')[1] || '');
  if (tag === 'img') return lastSegment(attr(el, 'src') || '');
  const icon = /(?:^|\s)(?:fa|icon|glyphicon|bi|mdi|ti|la|ri)-([a-z][a-z0-9-]*)/i.exec(attr(el, 'class') || '');
  return icon && !/^(solid|regular|brands|lg|fw|\d)/.test(icon[1]) ? icon[1] : '';
}

function lastSegment(address) {
  if (address.startsWith('data:') || address.startsWith('javascript:')) return '';
  const path = address.slice(0, 2000).split(/[?#]/)[0].replace(/^\w+:\/\/[^/]*/, '').replace(/\/+$/, '');
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.\w{2,5}$/, '');
}

function hintWords(source) {
  if (!source) return '';
  const words = source.slice(0, 400).replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const telling = words.filter(word => word.length > 1 && word.length < 20 && !DULL_WORDS.has(word) &&
    !looksHashed(word));
  return [...new Set(telling)].slice(0, 4).join('-').slice(0, MAX_HINT - 1);
}

const looksHashed = word => /\d/.test(word) && /[a-z]/.test(word) && word.length > 5 || /^\d+$/.test(word) ||
  (word.length > 4 && !/[aeiouyàâäåæèéêëìíîïòóôöøùúûü\u0370-\uffff]/.test(word));

// The nearest visible text before a field: in its row, the cell to the left, or just above it.
function nearbyText(record) {
  const { el, box } = record;
  let at = el;
  for (let level = 0; level < 4 && at; level += 1) {
    const text = textBefore(at, box);
    if (text !== '') return text || '';
    at = flatParent(at);
    if (!at || /^(form|body|main|fieldset)$/.test(tagOf(at))) return '';
  }
  return '';
}

// Null where another control comes first: what stands before that is its text, not ours.
function textBefore(el, box) {
  for (let node = previousOf.call(el), looks = 0; node && looks < 4; node = previousOf.call(node), looks += 1) {
    const type = typeOf.call(node);
    if (type !== TEXT && type !== ELEMENT) continue;
    if (type === ELEMENT && (matches.call(node, COUNTED) || queryAll(node, COUNTED).length)) return null;
    const text = squash(textOf.call(node).slice(0, 300));
    if (!text) continue;
    if (type === ELEMENT && (!checkVisibility.call(node, SHOWN) || !isBeside(boxOf(node), box))) continue;
    return cut(text.replace(/[:*\s]+$/, ''), MAX_HINT - 1);
  }
  return '';
}

const isBeside = (near, box) => near.l <= box.r && ((near.b > box.t && near.t < box.b) ||
  (box.t - near.b >= -2 && box.t - near.b <= MAX_ABOVE));

// Finding elements by selector.

const MAX_FOUND = 50;
const MAX_SEARCHED = 100000;

// Every root that can be searched: the document, open and adopted shadow roots.
function* allRoots() {
  const roots = [page];
  for (let i = 0; i < roots.length && i < 1000; i += 1) {
    yield roots[i];
    for (const el of queryAll(roots[i], '*')) {
      const inner = rootOf(el);
      if (inner) roots.push(inner);
    }
  }
}

function* allElements() {
  let left = MAX_SEARCHED;
  for (const root of allRoots()) {
    for (const el of queryAll(root, '*')) {
      if (--left < 0) return;
      if (!UNSEEN_TAGS.has(tagOf(el))) yield el;
    }
  }
}

function matcher(wanted, exact) {
  const needle = squash(String(wanted));
  if (exact) return text => squash(text) === needle;
  const lower = needle.toLowerCase();
  return text => squash(text).toLowerCase().includes(lower);
}

const FINDERS = {
  css(selector) {
    const found = [];
    for (const root of allRoots()) {
      for (const el of queryAll(root, selector.value)) if (found.push(el) >= MAX_FOUND) return found;
    }
    return found;
  },
  xpath(selector) {
    const result = XPATH.evaluate.call(page, selector.value, page, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
    return Array.from({ length: Math.min(result.snapshotLength, MAX_FOUND) }, (_, i) => result.snapshotItem(i))
      .filter(node => typeOf.call(node) === ELEMENT);
  },
  role({ role, name, exact }) {
    const fits = name === undefined || name === null ? () => true : matcher(name, exact);
    return search(el => roleOf(el) === role && fits(nameOf(el, role)) && isVisible(el));
  },
  text: selector => findText(matcher(selector.value, selector.exact)),
  label(selector) {
    const fits = matcher(selector.value, selector.exact);
    return search(el => isLabelled(el) && fits(nameOf(el, roleOf(el))));
  },
  placeholder(selector) {
    const fits = matcher(selector.value, selector.exact);
    return search(el => fits(attr(el, 'placeholder') || attr(el, 'aria-placeholder') || '') &&
      (has(el, 'placeholder') || has(el, 'aria-placeholder')));
  },
  testId: ({ value }) => search(el => attr(el, 'data-testid') === value || attr(el, 'data-test') === value),
  coordinates(selector) {
    const hit = deepestAt(selector.x, selector.y);
    return hit ? [usableFor(hit)] : [];
  },
};
const XPATH = { evaluate: Document.prototype.evaluate };

const isLabelled = el => LABELABLE_TAGS.has(tagOf(el)) && !(tagOf(el) === 'input' && el.type === 'hidden') ||
  has(el, 'aria-label') || has(el, 'aria-labelledby');

function search(fits) {
  const found = [];
  for (const el of allElements()) {
    if (fits(el) && found.push(el) >= MAX_FOUND) break;
  }
  return found;
}

// The innermost elements whose own text fits; where that is part of something usable, the usable thing.
function findText(fits) {
  const found = new Set();
  for (const el of allElements()) {
    if (found.size >= MAX_FOUND) break;
    if (!fits(shownText(el)) || hasFittingChild(el, fits) || !isVisible(el) || !fits(seenText(el))) continue;
    found.add(usableFor(el));
  }
  return [...found];
}

function shownText(el) {
  const tag = tagOf(el);
  if (tag === 'input') return BUTTON_TYPES.has(el.type) ? el.value : '';
  return NO_CONTENT.has(tag) ? '' : textOf.call(el).slice(0, MAX_DATA);
}

// The text that is there may be in scripts and hidden parts; asked only of the few elements that are left.
function seenText(el) {
  if (tagOf(el) === 'input') return shownText(el);
  const texts = TREE.createTreeWalker.call(page, el, NodeFilter.SHOW_TEXT);
  const seen = [];
  for (let size = 0; size < MAX_DATA && texts.nextNode();) {
    const parent = texts.currentNode.parentElement;
    if (UNSEEN_TAGS.has(tagOf(parent))) continue;
    if (!checkVisibility.call(parent, SHOWN) && styleOf(parent).display !== 'contents') continue;
    seen.push(texts.currentNode.data);
    size += seen.at(-1).length;
  }
  return seen.join('');
}
const TREE = { createTreeWalker: Document.prototype.createTreeWalker };

function hasFittingChild(el, fits) {
  const root = rootOf(el) || el;
  for (let child = firstElementIn(root); child; child = nextElementOf.call(child)) {
    if (!UNSEEN_TAGS.has(tagOf(child)) && fits(shownText(child)) && isVisible(child)) return true;
  }
  return false;
}

function usableFor(el) {
  for (let up = el, levels = 0; up && levels < 10; up = flatParent(up), levels += 1) {
    const tag = tagOf(up);
    if (tag === 'body') break;
    if (tag === 'label' && up.control) return up.control;
    const role = roleOf(up, tag);
    if (isStrong(up, tag, role, true) || clickables.has(up) || has(up, 'onclick')) return up;
  }
  return el;
}

function locate(selector) {
  freshMemo();
  const find = FINDERS[selector.type];
  if (!find) throw new Error(`unknown selector type: ${selector.type}`);
  let found;
  try {
    found = find(selector);
  } catch (error) {
    throw new Error(`invalid ${selector.type} selector: ${error.message}`);
  }
  return [...new Set(found)].slice(0, MAX_FOUND).map(idOf);
}

// What an element stands in: dialog, form, row, section; what is said there; and whether that is a puzzle for people.

const MAX_LEVELS = 300, MAX_STEPS = 250;
const MAX_AROUND = 400, MAX_BEFORE = 280, MAX_TITLE = 100;
const PART_TAGS = wordSet('tr li article fieldset'), PART_ROLES = wordSet('row listitem article group');
const SECTION_TAGS = wordSet('section article fieldset'), SECTION_ROLES = wordSet('region group radiogroup article');
const WIDGETS = '.g-recaptcha,.h-captcha,.cf-turnstile,.frc-captcha,.mtcaptcha,.smart-captcha,.geetest_captcha,' +
  '.geetest_holder,#px-captcha,altcha-widget,awswaf-captcha,[data-sitekey]:not(form,body)';
const PUZZLE_PAGES = new RegExp('^https?://(?:[\\w-]+\\.)*(?:(?:hcaptcha|arkoselabs|funcaptcha|captcha-delivery|' +
  'mtcaptcha|friendlycaptcha|geetest|awswaf)\\.com|challenges\\.cloudflare\\.com|recaptcha\\.net|' +
  'friendlycaptcha\\.eu|px-(?:cdn|cloud)\\.net|smartcaptcha\\.yandexcloud\\.net)(?:[:/]|$)|' +
  '^https?://www\\.google\\.com/recaptcha/', 'i');
const anyCase = (...some) => new RegExp(`(?<!\\p{L})(?:${anyOf(...some)})(?!\\p{L})`, 'iu');
const NO_ROBOT = anyCase(/not a (ro)?bot/, /am (a )?human/, /(are you|you are|you.re) (a )?(human|robot)/,
  /kein (roboter|bot)/, /(ich bin|sie sind|du bist|sie) ein mensch/, /pas un robot/, /(suis|êtes|es) (un )?humaine?/,
  /no soy un robot/, /(soy|eres|es) (un )?(ser )?human[oa]/, /non sono un robot/,
  /(sono|sei|è) (un )?(essere )?uman[oa]/);
const PICTURED = anyCase(/captcha/, /characters (you see|shown|(in|from) the (image|picture))/,
  /zeichen (im|auf dem|aus dem) bild/, /caractères (affichés|de l.image)/, /caracteres (que ves|de la imagen)/,
  /caratteri (che vedi|mostrati|nell.immagine|dell.immagine)/);

// The nearest of each kind around an element; nothing outside of a dialog counts.
function standingIn(el) {
  const found = { dialog: null, form: null, part: null, section: null, widget: null };
  let levels = 0;
  for (let up = flatParent(el); up && levels < MAX_LEVELS; up = flatParent(up), levels += 1) {
    const tag = tagOf(up);
    const role = attr(up, 'role') || '';
    if (tag === 'form') found.form ||= up;
    if (PART_TAGS.has(tag) || PART_ROLES.has(role)) found.part ||= up;
    if (SECTION_TAGS.has(tag) || SECTION_ROLES.has(role)) found.section ||= up;
    if (matches.call(up, WIDGETS)) found.widget ||= up;
    if (isDialog(up, tag, role)) {
      found.dialog = up;
      break;
    }
  }
  return found;
}

const isDialog = (el, tag, role) => tag === 'dialog' || role === 'dialog' || role === 'alertdialog' ||
  isOn(el, 'aria-modal') || (has(el, 'popover') && matches.call(el, ':popover-open'));

// The words round an element, those before it first, from the last heading to the next one.
function textAround(el, { dialog, form, part }) {
  if (dialog) return withTitle(titleOfDialog(dialog), wordsIn(el, dialog, dialog).text);
  const root = rootElementOf.call(page);
  if (part && !form) {
    const { title, text } = wordsIn(el, part, root);
    // A list of buttons says nothing by itself; what matters stands before it.
    if (text.length > squash(visibleText(el)).length) return withTitle(title, text);
  }
  const { title, text } = wordsIn(el, form || root, root);
  return withTitle(title, text);
}

const withTitle = (title, text) => cut(text.includes(title) ? text : `${title} \u2026 ${text}`, MAX_AROUND);

function titleOfDialog(dialog) {
  const name = nameOf(dialog, 'dialog');
  const heading = name ? null : queryAll(dialog, 'h1,h2,h3,h4,h5,h6,[role=heading]')[0];
  return cut(name || (heading ? squash(textOf.call(heading).slice(0, MAX_DATA)) : ''), MAX_TITLE);
}

// The text near an element in something that holds it, and the heading over that, looked for as far as `furthest`.
function wordsIn(el, within, furthest) {
  const anchor = inTreeOf(within, el);
  if (!anchor) return { title: '', text: '' };
  const blocks = new Map();
  const before = new Reading(anchor, contains.call(furthest, within) ? furthest : within, blocks);
  const title = before.back(MAX_BEFORE, within);
  const after = new Reading(anchor, within, blocks);
  const said = before.text.replace(SPACES, ' ').slice(-MAX_BEFORE);
  after.on(MAX_AROUND - said.length);
  const joined = said + (before.first === after.first && !before.apart && !after.apart ? '' : ' ') + after.text;
  return { title, text: cut(squash(joined), MAX_AROUND) };
}

// What stands for an element in the tree of something around it: itself, or the host of the shadow root it is in.
function inTreeOf(within, el) {
  const root = getRootNode.call(within);
  for (let up = el; up; up = flatParent(up)) if (getRootNode.call(up) === root) return up;
  return null;
}

// Reads text from an element on, one way or the other. Pieces of one line are joined as they are shown.
class Reading {
  constructor(from, within, blocks) {
    this.steps = TREE.createTreeWalker.call(page, within, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    this.steps.currentNode = from;
    this.from = from;
    this.blocks = blocks;
    this.text = '';
    this.left = MAX_STEPS;
    this.gap = this.apart = false;
    this.edge = this.first = null;
  }

  // Answers the last heading before it, if that was not read.
  back(room, within) {
    let reads = true;
    for (let node; this.left > 0 && (node = this.steps.previousNode()); this.left -= 1) {
      const isText = typeOf.call(node) === TEXT;
      if (!isText && isHeading(node)) return reads ? '' : headingText(node);
      if (reads) this.take(node, isText, (text, space) => text + space + this.text);
      reads = reads && node !== within && this.text.length < room;
    }
    return '';
  }

  on(room) {
    for (let node; this.left > 0 && this.text.length < room && (node = this.steps.nextNode()); this.left -= 1) {
      const isText = typeOf.call(node) === TEXT;
      if (!isText && isHeading(node)) return;
      this.take(node, isText, (text, space) => this.text + space + text);
    }
  }

  take(node, isText, join) {
    if (!isText) {
      if (tagOf(node) === 'br') this.gap = true;
      return;
    }
    const data = textData(node);
    if (isWhite(data)) {
      this.gap = this.gap || data !== '';
      return;
    }
    const parent = parentOf.call(node);
    const block = this.blockOf(parent);
    if (block === null || this.isLeftOut(parent)) return;
    if (this.first === null) {
      this.first = block;
      this.apart = this.gap;
    }
    this.text = join(data, this.text !== '' && (this.gap || block !== this.edge) ? ' ' : '');
    this.edge = block;
    this.gap = false;
  }

  // The label of a box that people see and have not ticked: what it says does not happen with a press elsewhere.
  isLeftOut(el) {
    const label = typeOf.call(el) === ELEMENT ? closest.call(el, 'label') : null;
    const box = label && label.control;
    return Boolean(box) && tagOf(box) === 'input' && box.type === 'checkbox' && !box.checked && !box.indeterminate &&
      checkVisibility.call(box) && !contains.call(label, this.from);
  }

  // The block whose lines the text of an element is in; null where people do not see that text, or may write it.
  blockOf(el) {
    if (typeOf.call(el) !== ELEMENT) el = el instanceof ShadowRoot ? hostOf.call(el) : null;
    if (el === null) return null;
    let block = this.blocks.get(el);
    if (block === undefined) this.blocks.set(el, block = readableBlock(el));
    return block;
  }
}

function readableBlock(el) {
  const tag = tagOf(el);
  if (UNSEEN_TAGS.has(tag) || NO_CONTENT.has(tag)) return null;
  let style = styleOf(el);
  if (!checkVisibility.call(el, SHOWN) && style.display !== 'contents') return null;
  if (style.webkitTextSecurity !== 'none' || style.webkitUserModify !== 'read-only') return null;
  const box = boxOf(el);
  if (style.display !== 'contents' && (isTiny(box) || box.r + scrollX <= 0 || box.b + scrollY <= 0)) return null;
  let block = el;
  while (/^(inline$|contents)/.test(style.display)) {
    const up = flatParent(block);
    if (!up) break;
    block = up;
    style = styleOf(block);
  }
  return block;
}

const isHeading = el => /^h[1-6]$/.test(localOf.call(el)) || attr(el, 'role') === 'heading';
const headingText = el =>
  checkVisibility.call(el, SHOWN) ? cut(squash(textOf.call(el).slice(0, MAX_DATA)), MAX_TITLE) : '';

// A puzzle that is to keep programs out: a known one, a field for the signs in a picture, or a box that says so.
function isPuzzle(el, { role, flags, extra }, name, { widget }) {
  if (widget || (extra && extra.cap) || inPuzzlePage()) return true;
  if (matches.call(el, WIDGETS)) return !INTERACTIVE_ROLES.has(role);
  if (flags & EDITABLE) return PICTURED.test(spaced(`${attr(el, 'name')}|${attr(el, 'id')}|${name}`));
  return role !== 'link' && (flags & INTERACTIVE) !== 0 && name.length < MAX_FACT && NO_ROBOT.test(name);
}

function inPuzzlePage() {
  const above = Array.from(location.ancestorOrigins);
  return above.length > 0 && [addressOf.call(page), ...above].some(address => PUZZLE_PAGES.test(address));
}

// What would be sent with an element: the fields of its form, what is ticked there, and what Enter would press.

const MAX_FIELDS = 50, MAX_PARTS_SEEN = 1000, MAX_FIELD = 100, MAX_TICKED = 20;
const SENT_APART = wordSet('hidden checkbox radio button submit reset image');
const SUBMITTERS = 'button:not([type=button],[type=reset]),input[type=submit],input[type=image]';
const PRESSED = wordSet('button submit reset image file color');
const TICKED = 'input:checked,[aria-checked=true]';
// Where Enter sends a form even if no button does.
const TRIGGERS = wordSet('text search email url tel password number');

// The form an element belongs to; where there is none, what is ticked in the dialog, section or page around it.
function formOf(el, place) {
  const form = ownForm(el) || place.form;
  const around = form || place.dialog || place.section || rootElementOf.call(page);
  const ticked = tickedIn(around, form);
  if (!form) {
    const fields = place.dialog ? fieldsOf(queryAll(place.dialog, 'input,select,textarea')) : NONE;
    return ticked.length || fields.length ? { action: '', method: '', id: 0, fields, ticked } : null;
  }
  const sender = senderOf(el, form);
  const action = sender && has(sender, 'formaction') ? sender.formAction : formActionOf.call(form);
  const method = sender && has(sender, 'formmethod') ? sender.formMethod : formMethodOf.call(form);
  return { action: cut(action, MAX_ADDRESS), method, id: idOf(form), fields: fieldsOf(formPartsOf.call(form)), ticked };
}

function ownForm(el) {
  const form = LABELABLE_TAGS.has(tagOf(el)) ? el.form : closest.call(el, 'form');
  return form instanceof HTMLFormElement ? form : null;
}

// The button whose own address and method count, where it has them.
function senderOf(el, form) {
  if (matches.call(el, SUBMITTERS)) return el;
  return tagOf(el) === 'input' ? submittersOf(form).next().value || null : null;
}

function fieldsOf(controls) {
  const fields = [];
  for (let i = 0; i < controls.length && i < MAX_PARTS_SEEN && fields.length < MAX_FIELDS; i += 1) {
    const el = controls[i], tag = tagOf(el);
    if (tag !== 'select' && tag !== 'textarea' && (tag !== 'input' || SENT_APART.has(el.type))) continue;
    const name = rememberedName(el, roleOf(el, tag), tag);
    if (tag !== 'select' && secretKind(el, name, null, true)) continue;
    const value = tag === 'select' ? selectedLabels(el).join(', ') : el.value;
    fields.push([cut(name || attr(el, 'name') || attr(el, 'id') || '', MAX_FIELD), cut(value, MAX_FIELD)]);
  }
  return fields;
}

// In a form all of them are sent; elsewhere those that people see count.
function tickedIn(around, form) {
  const ticked = [];
  for (const el of partsOf(around, form, TICKED)) {
    if (!form && !checkVisibility.call(el) && !standInFor(el)) continue;
    const tag = tagOf(el), role = roleOf(el, tag);
    const name = rememberedName(el, role, tag) || attr(el, 'name') || attr(el, 'value') || '';
    const group = role === 'radio' ? groupName(el) : '';
    const said = cut(group ? `${group}: ${name}` : name, MAX_FIELD);
    // One that is drawn round another, hidden one says the same.
    if (!ticked.includes(said) && ticked.push(said) >= MAX_TICKED) break;
  }
  return ticked;
}

function groupName(el) {
  const group = closest.call(el, 'fieldset,[role=radiogroup],[role=group]');
  return group ? rememberedName(group, roleOf(group), tagOf(group)) : '';
}

// Parts of a form or section, those in shadow roots and those bound to the form by its id included.
function* partsOf(around, form, selector) {
  yield* queryAll(around, selector);
  const id = form && attr(form, 'id');
  if (id) {
    for (const el of queryAll(page, `[form=${CSS.escape(id)}]`)) {
      if (el.form === form && !contains.call(form, el) && matches.call(el, selector)) yield el;
    }
  }
  let left = MAX_PARTS_SEEN;
  for (const el of getElementsByTagName.call(around, '*')) {
    if (--left < 0) return;
    const root = rootOf(el);
    if (root) yield* queryAll(root, selector);
  }
}

function* submittersOf(form) {
  for (const el of partsOf(form, form, SUBMITTERS)) if (el.form === form) yield el;
}

// The words of what the Enter key would press; '' where it sends nothing.
function enterOf(el, { tag, role, flags }, name) {
  if (tag === 'textarea' || editingHost(el)) return '';
  if (tag === 'select' || (tag === 'input' && !PRESSED.has(el.type))) {
    return el.form ? wordsSent(el.form, tag === 'input' && TRIGGERS.has(el.type)) : '';
  }
  const [active] = idrefs(el, 'aria-activedescendant');
  if (active) return nameOf(active, roleOf(active));
  return flags & INTERACTIVE ? name || squash(visibleText(el)).slice(0, MAX_FIELD) : '';
}

// As the browser does it: the first button that submits, or the form itself if it has none and but one text field.
function wordsSent(form, isTrigger) {
  for (const button of submittersOf(form)) {
    if (!matches.call(button, ':disabled')) return rememberedName(button, 'button', tagOf(button)) || 'submit';
    if (isTrigger) return '';
  }
  if (!isTrigger) return '';
  let texts = 0;
  for (const el of queryAll(form, 'input')) if (TRIGGERS.has(el.type) && ++texts > 1) return '';
  return 'submit';
}

// All about one element, as the gate wants to know it.

const MAX_TEXT = 300, MAX_OWNER_TEXT = 400;

function describeElement(id) {
  const el = elementOf(id);
  if (!el || !connectedOf.call(el)) return null;
  const record = recordOf(el);
  const { tag, role } = record;
  // What a walk shows as usable has been looked at from all sides.
  let why = record.start !== 0 && record.flags & INTERACTIVE ? '' : whyUnseen(el);
  const label = why === '' ? null : standInFor(el);
  if (label) {
    why = '';
    record.box = boxOf(label);
  }
  const [, , name, , flags, , x, y, w, h] = nodeOf(record, 0);
  const place = standingIn(el);
  const told = { id, role, name, flags, tag, box: [x, y, w, h], extra: record.extra || {}, text: ownText(el, flags),
                 connected: true, visible: why === '', why, form: formOf(el, place),
                 submits: (flags & SUBMITS) !== 0, target: attr(el, 'target') || '',
                 href: tag === 'a' || tag === 'area' ? linkTarget(el) : '', origin: self.origin,
                 around: textAround(el, place), enter: cut(enterOf(el, record, name), MAX_TEXT),
                 captcha: isPuzzle(el, record, name, place) };
  // By way of text, since only there are half characters looked for.
  return JSON.parse(toJson(told));
}

const CONTROLS = wordSet('button link menuitem menuitemcheckbox menuitemradio tab switch checkbox radio option treeitem');

// The control that a press on an element would press: what it is a part of. 0 if it stands for itself.
function ownerOf(id) {
  const el = elementOf(id);
  if (!el) return 0;
  freshMemo();
  const strong = CONTROLS.has(roleOf(el));
  for (let up = flatParent(el); up; up = flatParent(up)) {
    const tag = tagOf(up);
    if (CONTROLS.has(roleOf(up, tag)) || tag === 'summary') return idOf(up);
    // A field stands for itself inside its own label.
    if (tag === 'label' && !strong && up.control !== el) return idOf(up);
    // What listens and holds a whole page listens for others.
    const listens = !strong && (clickables.has(up) || has(up, 'onclick'));
    if (listens && textOf.call(up).length <= MAX_OWNER_TEXT) return idOf(up);
  }
  return 0;
}

// What a press depends on and nothing else: asked right before it, and again while something is awaited.
function stateOf(el) {
  const record = recordOf(el);
  const [, , name, , flags] = nodeOf(record, 0);
  return { role: record.role, name: name.toWellFormed(), flags };
}

// As a walk sees it, so that an element is called the same here and there; by itself where a walk leaves it out.
function recordOf(el) {
  const walk = new Walk({ max_visit: 3000, max_ms: 200 });
  walk.run(el);
  const found = walk.records.find(record => record.el === el && record.keep);
  if (found) {
    found.box = found.box || anyBox(el, found.tag);
    return found;
  }
  const tag = tagOf(el);
  const role = roleOf(el, tag);
  const record = new Record(el, role, nameOf(el, role, tag), tag, null);
  record.box = anyBox(el, tag);
  if (isStrong(el, tag, role, true) || role === 'option') record.flags |= INTERACTIVE;
  else if (lookAt(el).pointer) record.flags |= INTERACTIVE | POINTER;
  if (clickables.has(el) || has(el, 'onclick')) record.flags |= LISTENER | INTERACTIVE;
  if (el === walk.focus) record.flags |= FOCUSED;
  if (!record.name && !KINDS.has(role) && !NO_CONTENT.has(tag)) {
    record.name = cut(squash(contentText(el, tag, newSearch(false, false), lookAt(el), true)), MAX_GENERIC_NAME);
  }
  readStates(record, bitsOf(el), null);
  return record;
}

const visibleText = el => (el instanceof HTMLElement ? innerTextOf : textOf).call(el).slice(0, MAX_DATA);

function ownText(el, flags) {
  if (flags & SECRET || hiddenTexts(el).length) return '';
  return cut(squash(visibleText(el)), MAX_TEXT);
}

// Parts of an element whose text is a secret that is being written there.
const hiddenTexts = el => [...queryAll(el, '[contenteditable]')].slice(0, MAX_FIELDS)
  .filter(part => isEditableRoot(part) && secretOf(part) !== '');

// Code written into the attributes of an element and of what is around it.
function handlers(id) {
  const found = [];
  for (let up = elementOf(id), levels = 0; up && levels < MAX_LEVELS; up = flatParent(up), levels += 1) {
    for (const name of getAttributeNames.call(up)) {
      if (name.startsWith('on')) found.push(`${levels} ${name} ${attr(up, name).slice(0, MAX_DATA)}`.toWellFormed());
    }
  }
  return found.slice(0, MAX_FIELDS);
}

// All that the engine, the actor and the extension may use.

const asker = answer => (...given) => {
  freshMemo();
  return answer(...given);
};

// Answers whether a walk will now show something it did not show before.
function clickable(el) {
  if (!(el instanceof Element)) return false;
  clickables.add(el);
  freshMemo();
  const tag = tagOf(el);
  return !isStrong(el, tag, roleOf(el, tag), true);
}

globalThis.walker = Object.freeze({
  walk: walkPage,
  describe: describeElement,
  state: stateOf,
  secret: asker(secretOf),
  hiddenTexts: asker(hiddenTexts),
  secretParts: asker(secretParts),
  roots: allRoots,
  handlers,
  owner: ownerOf,
  flags: Object.freeze({ DISABLED, CHECKED, SELECTED }),
  locate,
  adopt(host, root) { closedRoots.set(host, root); askedHosts.add(host); },
  asked(hosts) { for (const id of hosts) { const el = elementOf(id); if (el) askedHosts.add(el); } },
  clickable,
  shadowRoot: rootOf,
  element: elementOf,
  idOf,
  role: asker(el => roleOf(el)),
  name: asker(el => nameOf(el, roleOf(el)).toWellFormed()),
  isVisible: asker(isVisible),
  whyUnseen: asker(whyUnseen),
});

})();
(() => {
// Timers that also run where the usual ones do not: in a frame whose sandbox forbids scripts.

function after(ms, act) {
  const stop = new AbortController();
  scheduler.postTask(act, { delay: ms, signal: stop.signal }).catch(() => {});
  return stop;
}

function every(ms, act) {
  const stop = new AbortController();
  const turn = () => {
    if (stop.signal.aborted) return;
    act();
    after(ms, turn);
  };
  after(ms, turn);
  return stop;
}

// A form whose fields are named like DOM properties ("DOM clobbering") overrides its own, even in our world. What
// may be a form is read through this.

function memberOf(form, name) {
  for (let at = HTMLFormElement.prototype; at; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, name);
    if (found?.get) return found.get.call(form);
    if (found) return typeof found.value === 'function' ? found.value.bind(form) : found.value;
  }
  return undefined;
}

const squeezed = (text) => text.replace(/\s+/g, ' ').trim();
const folded = (text) => squeezed(text).toLowerCase();

const plain = (element) => element instanceof HTMLFormElement
  ? new Proxy({}, { get: (_, name) => memberOf(element, name) })
  : element;

// Where to press an element, and what stands in the way. Scrolls, but changes nothing else in the page.

const FRAMES_TO_REST = 30;
const nextFrame = (ms = 100) => new Promise((done) => {
  // A hidden or throttled document never gets a frame.
  const timer = after(ms, done);
  requestAnimationFrame(() => { timer.abort(); done(); });
});

const rootOf = (node) => Node.prototype.getRootNode.call(node);
const parentElement = Object.getOwnPropertyDescriptor(Node.prototype, 'parentElement').get;
const closest = (node, selector) => Element.prototype.closest.call(node, selector);
const boxOf = (element) => Element.prototype.getBoundingClientRect.call(element);

function flatParent(node) {
  const slot = plain(node).assignedSlot;
  if (slot) return slot;
  const parent = parentElement.call(node);
  if (parent) return parent;
  const root = rootOf(node);
  return root instanceof ShadowRoot ? root.host : null;
}

function isInside(node, ancestor) {
  for (let at = node; at; at = flatParent(at)) if (at === ancestor) return true;
  return false;
}

const labelsOf = (element) => [...(plain(element).labels ?? [])];

// What a person presses to work the element: itself, or the visible label of a hidden checkbox.
function surfaceOf(element) {
  if (walker.isVisible(element)) return element;
  return labelsOf(element).find((label) => walker.isVisible(label)) ?? null;
}

function describe(element) {
  const name = walker.name(element).slice(0, 60);
  const role = walker.role(element) || plain(element).localName;
  if (name) return `${role} ${JSON.stringify(name)}`;
  const id = Element.prototype.getAttribute.call(element, 'id');
  const names = Element.prototype.getAttribute.call(element, 'class');
  const mark = id ? `#${id}` : names ? `.${names.trim().split(/\s+/)[0]}` : '';
  const words = walker.secret(element) ? '' : squeezed(plain(element).innerText ?? '').slice(0, 60);
  return `<${plain(element).localName}${mark.slice(0, 60)}>${words ? ` ${JSON.stringify(words)}` : ''}`;
}

// The deepest element at a point, through shadow roots the walker knows of.
function elementAt(x, y, near) {
  const root = rootOf(near);
  const from = root instanceof ShadowRoot || root === document ? root : document;
  let hit = from.elementFromPoint(x, y) ?? document.elementFromPoint(x, y);
  for (;;) {
    const inner = hit && walker.shadowRoot(hit)?.elementFromPoint(x, y);
    if (!inner || inner === hit) return hit;
    hit = inner;
  }
}

// A press on `hit` reaches `element`: inside it, its label, or the host of a closed root it lives in.
function reaches(hit, element) {
  if (!hit) return false;
  if (isInside(hit, element)) return true;
  if (labelsOf(element).some((label) => isInside(hit, label))) return true;
  const own = closest(element, 'label');
  return Boolean(own && isInside(hit, own) && own.control === element);
}

function visiblePart(rect) {
  const left = Math.max(rect.left, 0), top = Math.max(rect.top, 0);
  const right = Math.min(rect.right, innerWidth), bottom = Math.min(rect.bottom, innerHeight);
  return right - left >= 1 && bottom - top >= 1 ? { left, top, right, bottom } : null;
}

function* pointsOf(surface) {
  const rects = [...Element.prototype.getClientRects.call(surface)].filter((r) => r.width * r.height > 0);
  const parts = rects.map(visiblePart).filter(Boolean);
  for (const [fx, fy] of [[0.5, 0.5], [0.2, 0.5], [0.8, 0.5], [0.5, 0.2], [0.5, 0.8]]) {
    for (const part of parts.slice(0, 4)) {
      yield [part.left + (part.right - part.left) * fx, part.top + (part.bottom - part.top) * fy];
    }
  }
}

function isClipped(surface) {
  const rect = boxOf(surface);
  if (rect.left < 0 || rect.top < 0 || rect.right > innerWidth || rect.bottom > innerHeight) return true;
  for (let at = flatParent(surface); at; at = flatParent(at)) {
    const style = getComputedStyle(at);
    if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
    const box = boxOf(at);
    if (rect.left < box.left - 1 || rect.right > box.right + 1
        || rect.top < box.top - 1 || rect.bottom > box.bottom + 1) return true;
  }
  return false;
}

const isMoving = (surface) => document.getAnimations()
  .some(({ playState, effect }) => playState === 'running' && effect?.target && isInside(surface, effect.target));

const sameBox = (a, b) => Math.abs(a.x - b.x) < 1 && Math.abs(a.y - b.y) < 1
  && Math.abs(a.width - b.width) < 1 && Math.abs(a.height - b.height) < 1;

async function restOf(surface) {
  let before = boxOf(surface);
  // Where something swings to and fro, two frames can look alike at the turn; three cannot.
  let wanted = isMoving(surface) ? 2 : 1;
  for (let frame = 0; frame < FRAMES_TO_REST; frame += 1) {
    await nextFrame();
    const now = boxOf(surface);
    wanted = sameBox(before, now) ? wanted - 1 : isMoving(surface) ? 2 : 1;
    if (!wanted) return true;
    before = now;
  }
  return false;
}

function findPoint(element, surface) {
  let cover = null;
  for (const [x, y] of pointsOf(surface)) {
    const hit = elementAt(x, y, surface);
    if (reaches(hit, element)) return { x, y };
    cover ??= hit;
  }
  if (!cover) return { problem: 'not_visible', why: 'outside the visible part of the page' };
  return { problem: 'obscured', by: describe(cover) };
}

// Is the element what the caller thinks it is, and can it be used now? Answers a problem, or null.
function checkState(element, expected, allowDisabled) {
  if (!element || !plain(element).isConnected) return { problem: 'gone' };
  const now = walker.state(element);
  if (expected && (now.role !== expected.role || now.name !== expected.name)) {
    return { problem: 'changed', role: now.role, name: now.name };
  }
  if (!allowDisabled && now.flags & walker.flags.DISABLED) return { problem: 'disabled' };
  if (!surfaceOf(element)) return { problem: 'not_visible', why: walker.whyUnseen(element) };
  return null;
}

// Bring the surface into view and to rest. Answers whether time passed, or null if it does not rest.
async function steady(surface, { box: snapshotBox, still }) {
  const clipped = !still && isClipped(surface);
  // A scroll can start animations and lazy loading; what was at rest before may move now.
  if (clipped) plain(surface).scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  else if (sameBox(boxOf(surface), snapshotBox) && !isMoving(surface)) return false;
  return (await restOf(surface)) ? true : null;
}

// Sticky bars cover what was scrolled to the middle of nothing; another place in the viewport may be free.
async function otherPlaces(element, surface, point) {
  for (const block of ['end', 'start', 'center']) {
    if (point.problem !== 'obscured') return point;
    plain(surface).scrollIntoView({ block, inline: 'nearest', behavior: 'instant' });
    await restOf(surface);
    point = findPoint(element, surface);
  }
  return point;
}

// The whole check before a press. The guard is armed with the answer: see guard. `still` does not scroll.
async function ready(id, options) {
  const element = walker.element(id);
  const problem = checkState(element, options.expected, options.allow_disabled);
  if (problem) return problem;
  watch();
  const surface = surfaceOf(element);
  let waited = await steady(surface, options);
  if (waited === null) return { problem: 'moving' };
  let point = findPoint(element, surface);
  if (point.problem === 'obscured' && !options.still) {
    point = await otherPlaces(element, surface, point);
    waited = true;
  }
  if (point.problem) return point;
  // While we waited the page had its turn: what was true before is checked again.
  const changed = waited && checkState(element, options.expected, options.allow_disabled);
  if (changed) return changed;
  if (options.guard) guard.aim = element;
  return point;
}

// A point of a frame, in this document: where it is, and whether something lies over the frame there.
async function through(ownerId, x, y) {
  const owner = walker.element(ownerId);
  if (!owner) return { problem: 'gone' };
  let at = pointInFrame(owner, x, y);
  for (let frame = 0; frame < 5 && !isOnScreen(at); frame += 1) {
    if (frame === 1) scrollBy({ left: at.x - innerWidth / 2, top: at.y - innerHeight / 2, behavior: 'instant' });
    await nextFrame();
    at = pointInFrame(owner, x, y);
  }
  const hit = elementAt(at.x, at.y, owner);
  if (hit !== owner) return { problem: 'obscured', by: hit ? describe(hit) : 'the edge of the frame' };
  return at;
}

const isOnScreen = ({ x, y }) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;

// Where a frame's own coordinates begin in this document, and how large its pixels are here.
function frameOrigin(owner) {
  const box = boxOf(owner);
  const style = getComputedStyle(owner);
  const sx = owner.offsetWidth ? box.width / owner.offsetWidth : 1;
  const sy = owner.offsetHeight ? box.height / owner.offsetHeight : 1;
  const left = box.left + (owner.clientLeft + parseFloat(style.paddingLeft)) * sx;
  return { left, top: box.top + (owner.clientTop + parseFloat(style.paddingTop)) * sy, sx, sy };
}

function pointInFrame(owner, x, y) {
  const { left, top, sx, sy } = frameOrigin(owner);
  return { x: left + x * sx, y: top + y * sy };
}

const fromFrame = (ownerId, x, y) => pointInFrame(walker.element(ownerId), x, y);

function intoFrame(ownerId, x, y) {
  const { left, top, sx, sy } = frameOrigin(walker.element(ownerId));
  return { x: (x - left) / sx, y: (y - top) / sy };
}

// Between the hit test and the press a page can move things. These listeners come before any of the page's own and
// stop a trusted press that is not aimed at the element it was meant for.

const PRESSES = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu'];
const BEGINS = new Set(['pointerdown', 'mousedown']);
const ENDS = new Set(['pointerup', 'mouseup']);

// `begun`: the element has felt the press; `clicked`: the click that came of it. `stopped` came before the press,
// `slipped` after it began: a menu that opens when the button goes down covers what opened it, and no click follows.
const UNTOUCHED = { begun: false, clicked: null, stopped: '', slipped: '' };
const guard = {
  element: null,
  ...UNTOUCHED,
  get aim() { return this.element; },
  set aim(element) { Object.assign(this, UNTOUCHED, { element }); },
};

function isAimed(event) {
  const path = event.composedPath();
  if (path.includes(guard.aim) || reaches(path[0], guard.aim)) return true;
  // A label passes its click on to what it is for.
  if (guard.clicked && event.type === 'click' && closest(guard.aim, 'label')?.control === path[0]) return true;
  // Seen from here, a press inside a closed root is aimed at its host.
  for (let root = rootOf(guard.aim); root instanceof ShadowRoot; root = rootOf(root.host)) {
    if (root.host === path[0]) return true;
  }
  return false;
}

function stopStray(event) {
  if (!guard.aim || !event.isTrusted) return;
  if (isAimed(event)) {
    if (BEGINS.has(event.type)) guard.begun = true;
    else if (!ENDS.has(event.type)) guard.clicked = event;
    return;
  }
  // What the press began, such as a drag, must be able to end.
  if (guard.begun && ENDS.has(event.type)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const [at] = event.composedPath();
  guard[guard.begun ? 'slipped' : 'stopped'] ||= at instanceof Element ? describe(at) : 'something else';
}

for (const kind of PRESSES) window.addEventListener(kind, stopStray, { capture: true, passive: false });

// What took the click after the press had begun, or ''.
function slipped() {
  if (guard.slipped || !guard.begun || guard.clicked || plain(guard.aim).isConnected) return guard.slipped;
  return 'a redrawn page';
}

// Whether the click was on a link to a file: the browser fetches it without a word to the page.
function saves() {
  const link = guard.clicked?.type === 'click' && closest(guard.aim, 'a[download][href]');
  return Boolean(link) && !guard.clicked.defaultPrevented;
}

function disarm() {
  const { stopped } = guard;
  guard.aim = null;
  return stopped;
}

// Fields: where typing goes, what they hold, and the few kinds that no keyboard can fill.

const TEXT_INPUTS = new Set(['', 'text', 'search', 'email', 'url', 'tel', 'password', 'number']);
const SET_INPUTS = new Set(['date', 'time', 'datetime-local', 'month', 'week', 'color', 'range']);
const nativeValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set;

function kindOf(element) {
  if (element instanceof HTMLTextAreaElement) return 'text';
  if (element instanceof HTMLSelectElement) return 'select';
  if (element instanceof HTMLInputElement) {
    if (TEXT_INPUTS.has(element.type)) return 'text';
    if (SET_INPUTS.has(element.type)) return 'set';
    return element.type;
  }
  return plain(element).isContentEditable ? 'editable' : '';
}

// A wrapper with role textbox or combobox often holds the real field.
function fieldOf(element) {
  if (kindOf(element)) return element;
  const inner = [...plain(element).querySelectorAll('input, textarea, [contenteditable]')]
    .filter((field) => ['text', 'set', 'editable'].includes(kindOf(field)) && walker.isVisible(field));
  return inner.length === 1 ? inner[0] : element;
}

function valueOf(element) {
  switch (kindOf(element)) {
    case 'text': case 'set': return element.value;
    // A space at the end of a line is kept there as one that does not break.
    case 'editable': return element.innerText.replace(/\n$/, '').replaceAll('\u00a0', ' ');
    case 'select': return [...element.selectedOptions].map((option) => option.label).join(', ');
    default: return '';
  }
}

function selectAll(element) {
  if (element.select) { element.select(); return; }
  getSelection().selectAllChildren(element);
}

function caretToEnd(element) {
  if (element.isContentEditable && !element.select) {
    const selection = getSelection();
    selection.selectAllChildren(element);
    selection.collapseToEnd();
    return;
  }
  // Some input types have no selection to speak of; typing goes to their end anyway.
  try { element.setSelectionRange(element.value.length, element.value.length); } catch { element.focus(); }
}

// Put the focus where typing should go. Answers how the field wants to be filled.
function enter(id, place) {
  const target = walker.element(id);
  if (!target) return { problem: 'gone' };
  const element = fieldOf(target);
  const kind = kindOf(element);
  if ((kind === 'text' || kind === 'set') && element.readOnly) return { problem: 'readonly' };
  if (!['text', 'editable', 'set'].includes(kind)) return { problem: 'not_a_field', kind };
  element.focus({ preventScroll: true });
  if (kind !== 'set' && place === 'all') selectAll(element);
  if (kind !== 'set' && place === 'end') caretToEnd(element);
  // Asked only here: a field can become another one when it gets the focus.
  if (walker.secret(element)) return { problem: 'secret' };
  return { kind, empty: valueOf(element) === '' };
}

// Keys go to what has the focus: without it they would reach something else.
function focus(id) {
  const target = walker.element(id);
  if (!target) return { problem: 'gone' };
  const element = fieldOf(target);
  element.focus({ preventScroll: true });
  const active = rootOf(element).activeElement;
  return active && isInside(active, element) ? {} : { problem: 'no_focus' };
}

function deepActive() {
  let at = document.activeElement;
  for (;;) {
    const inner = at && walker.shadowRoot(at)?.activeElement;
    if (!inner) return at === document.body || at === document.documentElement ? null : at;
    at = inner;
  }
}

function focused() {
  const at = deepActive();
  return at ? walker.idOf(at) : 0;
}

// Keys can wander: a Tab in the text, a field that passes the focus on. While we type, none reaches a secret field.
const secrecy = { armed: false, stopped: '' };
const isWriting = ({ key }) => key === undefined || [...key].length === 1 || key === 'Backspace' || key === 'Delete';

function stopSecret(event) {
  if (!secrecy.armed || !event.isTrusted || !isWriting(event)) return;
  const at = deepActive();
  if (!at || !walker.secret(at)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  secrecy.stopped ||= describe(at);
}

for (const kind of ['keydown', 'keypress', 'beforeinput']) {
  window.addEventListener(kind, stopSecret, { capture: true, passive: false });
}

// Answers what the keys since the last call were kept from.
function keepSecrets(armed) {
  const { stopped } = secrecy;
  Object.assign(secrecy, { armed, stopped: '' });
  return stopped;
}

function announce(element) {
  element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
}

function setValue(id, value) {
  const element = fieldOf(walker.element(id));
  if (walker.secret(element)) return { problem: 'secret' };
  const before = element.value;
  nativeValue.call(element, value);
  if (value && element.value === '') {
    nativeValue.call(element, before);
    return { problem: 'bad_value', type: element.type };
  }
  announce(element);
  return { value: element.value };
}

// What the field holds now, told as equal or not: the value of a secret field stays in the page.
function holds(id, value) {
  const element = walker.element(id);
  if (!element) return { gone: true };
  const field = fieldOf(element);
  const now = valueOf(field);
  const lines = (text) => text.replace(/\r\n/g, '\n');
  return { same: lines(now) === lines(value), value: walker.secret(field) ? null : now.slice(0, 2000) };
}

function matchOption(select, wanted) {
  const options = [...select.options];
  return options.find((o) => squeezed(o.label) === squeezed(wanted))
    ?? options.find((o) => o.value === wanted)
    ?? options.find((o) => folded(o.label) === folded(wanted));
}

function canChoose(id, wanted) {
  const select = walker.element(id);
  if (!select) return { problem: 'gone' };
  if (!(select instanceof HTMLSelectElement)) return { problem: 'not_a_select', kind: kindOf(select) };
  if (wanted.length > 1 && !select.multiple) return { problem: 'one_only' };
  const found = wanted.map((value) => matchOption(select, value));
  const missing = wanted.find((_, index) => !found[index]);
  const labels = () => [...select.options].slice(0, 50).map((option) => option.label);
  if (missing !== undefined) return { problem: 'no_option', wanted: missing, options: labels() };
  const off = found.find((option) => option.disabled || option.parentElement.disabled);
  if (off) return { problem: 'option_disabled', wanted: off.label };
  return {};
}

function choose(id, wanted) {
  const select = walker.element(id);
  const found = wanted.map((value) => matchOption(select, value));
  const changed = [...select.options].some((option) => option.selected !== found.includes(option));
  select.focus({ preventScroll: true });
  for (const option of select.options) option.selected = found.includes(option);
  if (changed) announce(select);
  return { value: valueOf(select), changed };
}

const attribute = (element, name) => Element.prototype.getAttribute.call(element, name);
const shownLists = () => walker.locate({ type: 'role', role: 'listbox' });

// The lists of a drop-down of the page's own making: itself, those it names or holds, and any not known as another's.
function listsOf(element, known) {
  if (walker.role(element) === 'listbox') return [element];
  const names = ['aria-controls', 'aria-owns'].map((name) => attribute(element, name) ?? '').join(' ').split(/\s+/);
  const named = names.filter(Boolean).map((name) => rootOf(element).getElementById?.(name)).filter(Boolean);
  const others = shownLists().filter((id) => !known.includes(id)).map((id) => walker.element(id));
  const held = [...element.querySelectorAll('[role=listbox]')];
  return [...new Set([...named, ...held, ...others])].filter((list) => walker.isVisible(list));
}

function optionsIn(element, known) {
  const options = listsOf(element, known).flatMap((list) => [...list.querySelectorAll('[role=option]')]);
  return [...new Set(options)].filter((option) => walker.isVisible(option));
}

function matchShown(options, wanted) {
  return options.find((option) => folded(walker.name(option)) === folded(wanted))
    ?? options.find((o) => ['data-value', 'value'].some((name) => attribute(o, name) === wanted));
}

// What such a drop-down shows now, and the option that is wanted.
function options(id, wanted, known) {
  const element = walker.element(id);
  if (!element) return { problem: 'gone' };
  const shown = optionsIn(element, known);
  const found = wanted ? matchShown(shown, wanted) : undefined;
  const flags = found ? walker.state(found).flags : 0;
  const is = (flag) => Boolean(flags & flag);
  const { DISABLED, SELECTED } = walker.flags;
  return {
    names: shown.slice(0, 50).map((option) => walker.name(option).slice(0, 80)),
    several: listsOf(element, known).some((list) => attribute(list, 'aria-multiselectable') === 'true'),
    wanted: found ? { id: walker.idOf(found), disabled: is(DISABLED), selected: is(SELECTED) } : null,
  };
}

// The file field meant by an element: itself, what its label stands for, or the only one in it.
function fileField(id) {
  const element = walker.element(id);
  if (!element) return { problem: 'gone' };
  const isFile = (node) => node instanceof HTMLInputElement && node.type === 'file';
  const label = closest(element, 'label');
  const near = isFile(element) ? [element] : [label?.control, ...element.querySelectorAll('input[type=file]')];
  const [field, other] = [...new Set(near.filter(isFile))];
  if (!field || other) return { problem: 'not_a_file_field' };
  if (field.matches(':disabled')) return { problem: 'disabled' };
  return { id: walker.idOf(field), multiple: field.multiple };
}

// Scrolling: an element into view, the page or one of its boxes by an amount or to a place.

function canScroll(element) {
  const { scrollHeight, clientHeight, scrollWidth, clientWidth } = plain(element);
  return scrollHeight - clientHeight > 1 || scrollWidth - clientWidth > 1;
}

function isScroller(element) {
  const { overflowX, overflowY } = getComputedStyle(element);
  return canScroll(element) && /auto|scroll|overlay/.test(overflowX + overflowY);
}

// Behind a dialog pages lock their scrolling; script could still move them, a person could not.
function isLocked() {
  const ends = [document.documentElement, document.body];
  const [outer, inner] = ends.map((one) => (one ? getComputedStyle(one).overflowY : ''));
  return outer === 'hidden' || outer === 'clip' || (outer === 'visible' && (inner === 'hidden' || inner === 'clip'));
}

const sizeOf = (element) => plain(element).clientWidth * plain(element).clientHeight;

// The page itself; where that cannot scroll, the box in the middle of the view, or the largest one.
function mainScroller() {
  const page = document.scrollingElement ?? document.documentElement;
  if (canScroll(page) && !isLocked()) return page;
  const middle = elementAt(innerWidth / 2, innerHeight / 2, document.documentElement);
  for (let at = middle; at; at = flatParent(at)) if (at !== page && at !== document.body && isScroller(at)) return at;
  const boxes = [...document.querySelectorAll('*')]
    .filter((one) => canScroll(one) && isScroller(one) && walker.isVisible(one));
  return boxes.reduce((most, one) => (sizeOf(one) > sizeOf(most) ? one : most), boxes[0] ?? page);
}

function scrollerOf(id) {
  if (!id) return mainScroller();
  for (let at = walker.element(id); at; at = flatParent(at)) if (isScroller(at)) return at;
  return mainScroller();
}

const placeOf = (box) => ({
  x: Math.round(box.scrollLeft), y: Math.round(box.scrollTop),
  max_x: Math.max(0, box.scrollWidth - box.clientWidth), max_y: Math.max(0, box.scrollHeight - box.clientHeight),
});

async function scroll(id, move) {
  watch();
  const box = plain(scrollerOf(id));
  const before = placeOf(box);
  const sideways = move.direction === 'left' || move.direction === 'right';
  const step = move.amount ?? Math.round((sideways ? box.clientWidth : box.clientHeight) * 0.8);
  const to = {
    up: [before.x, before.y - step], down: [before.x, before.y + step],
    left: [before.x - step, before.y], right: [before.x + step, before.y],
    top: [before.x, 0], bottom: [before.x, before.max_y], to: move.to,
  }[move.direction];
  box.scrollTo({ left: to[0], top: to[1], behavior: 'instant' });
  await nextFrame();
  const after = placeOf(box);
  return { moved: after.x !== before.x || after.y !== before.y, ...after };
}

async function reveal(id, block = 'center') {
  const element = walker.element(id);
  const surface = element && surfaceOf(element);
  if (!surface) return { problem: element ? 'not_visible' : 'gone', why: element ? walker.whyUnseen(element) : '' };
  watch();
  const before = boxOf(surface);
  plain(surface).scrollIntoView({ block, inline: 'nearest', behavior: 'instant' });
  await nextFrame();
  return { moved: !sameBox(before, boxOf(surface)) };
}

// Has the page come to rest? Counts changes from the moment an action begins; bare timers cannot be seen.

let lastChange = 0;
let grown = false;
let observer = null;

const isElement = (node) => node.nodeType === Node.ELEMENT_NODE;

function note(records) {
  lastChange = performance.now();
  grown ||= records.some(({ addedNodes }) => [...addedNodes].some(isElement));
}

function watch() {
  lastChange = 0;
  grown = false;
  if (observer) return;
  observer = new MutationObserver(note);
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
}

const pause = (ms) => new Promise((done) => { after(ms, done); });

// One frame, then `quiet` ms without a change (at most `limit`), then the walk, all in one trip.
async function rest({ quiet, limit, frame, walk }) {
  const start = performance.now();
  if (frame) await nextFrame(frame);
  // A frame can come at once; what the press put off to the next turn comes before this.
  if (frame) await pause(1);
  let still = 0;
  while (quiet && performance.now() - start < limit) {
    still = performance.now() - Math.max(lastChange, start);
    if (still >= quiet) break;
    await pause(Math.min(quiet - still, 25));
  }
  // Without an observer (a new document) anything may have been added.
  const report = { grown: grown || !observer, busy: Boolean(quiet) && still < quiet, slipped: slipped(), saves: saves() };
  report.stopped = disarm();
  if (walk) report.walk = walker.walk(walk);
  return report;
}

// Conditions to wait for, checked again at every change and at least every 100 ms.

function hasText(text) {
  const body = document.body;
  // A frame that is not drawn has no size, but its text would still be told.
  if (!body || !innerWidth || !innerHeight) return false;
  return folded(shownText(body)).includes(folded(text));
}

// A puzzle stays in the page when it is solved: its box is ticked, or it has an answer for the form around it.
function isSolved(element) {
  if (walker.state(element).flags & walker.flags.CHECKED) return true;
  const answers = plain(closest(element, 'form') ?? rootOf(element)).querySelectorAll?.(
    'textarea[name$="-captcha-response"], textarea[name="g-recaptcha-response"], input[name="cf-turnstile-response"]');
  return [...answers ?? []].some((answer) => answer.value !== '');
}

// What was left to a person to fill or solve. The label of a field that is gone is no field.
function isOver(element) {
  if (['text', 'editable'].includes(kindOf(element))) return !walker.isVisible(element);
  return !surfaceOf(element) || isSolved(element);
}

const ABSENT = new Set(['gone', 'hidden', 'over']);

function stateHolds(element, state) {
  if (!element || !plain(element).isConnected) return ABSENT.has(state);
  const is = (flag) => Boolean(walker.state(element).flags & flag);
  const { DISABLED, CHECKED } = walker.flags;
  switch (state) {
    case 'exists': return true;
    case 'gone': return false;
    case 'visible': return Boolean(surfaceOf(element));
    case 'hidden': return !surfaceOf(element);
    case 'enabled': return Boolean(surfaceOf(element)) && !is(DISABLED);
    case 'disabled': return is(DISABLED);
    case 'checked': return is(CHECKED);
    case 'unchecked': return !is(CHECKED);
    case 'over': return isOver(element);
    default: throw new Error(`unknown state ${state}`);
  }
}

function holdsNow(condition) {
  if (condition.text) return hasText(condition.text);
  if (condition.text_gone) return !hasText(condition.text_gone);
  if (condition.option !== undefined) {
    const list = walker.element(condition.of);
    return !list || Boolean(matchShown(optionsIn(list, condition.known), condition.option));
  }
  if (condition.id) return stateHolds(walker.element(condition.id), condition.state);
  const found = walker.locate(condition.selector).map((id) => walker.element(id));
  return ABSENT.has(condition.state)
    ? found.every((element) => stateHolds(element, condition.state))
    : found.some((element) => stateHolds(element, condition.state));
}

// True as soon as the condition holds; false after `ms`.
function until(condition, ms) {
  if (holdsNow(condition)) return true;
  if (ms <= 0) return false;
  return new Promise((done) => {
    const end = (value) => { changes.disconnect(); ticker.abort(); last.abort(); done(value); };
    let planned = false;
    let cost = 0;
    const look = () => {
      planned = false;
      const begun = performance.now();
      if (holdsNow(condition)) end(true);
      cost = performance.now() - begun;
    };
    // A storm of changes must not become a storm of checks: most of the time stays the page's.
    const plan = () => { if (!planned) { planned = true; after(Math.max(10, cost * 4), look); } };
    const changes = new MutationObserver(plan);
    changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    const ticker = every(100, plan);
    const last = after(ms, () => end(holdsNow(condition)));
  });
}

// Whether nothing changes for `ms`; no at the first change.
function isStill(ms) {
  return new Promise((done) => {
    const end = (value) => { changes.disconnect(); timer.abort(); done(value); };
    const changes = new MutationObserver(() => end(false));
    changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    const timer = after(ms, () => end(true));
  });
}

const SILENT = new Set(['script', 'style', 'template', 'noscript', 'head']);

// innerText does not look into shadow roots: elements around one are read piece by piece.
function* piecesOf(node, around) {
  if (node instanceof Text) { yield node.data.replace(/\s+/g, ' '); return; }
  if (!(node instanceof Element) || SILENT.has(plain(node).localName)) return;
  const { display } = getComputedStyle(node);
  if (display === 'none') return;
  const edge = /^(inline|contents)/.test(display) ? '' : '\n';
  yield edge;
  if (around.has(node)) {
    const assigned = node instanceof HTMLSlotElement ? node.assignedNodes() : [];
    const inner = assigned.length ? assigned : (walker.shadowRoot(node) ?? plain(node)).childNodes;
    for (const child of inner) yield* piecesOf(child, around);
  } else {
    yield plain(node).innerText ?? node.textContent ?? '';
  }
  yield edge;
}

function aroundRoots(element) {
  const around = new Set();
  const search = (root) => {
    for (const node of root.querySelectorAll('*')) see(node);
  };
  const see = (node) => {
    const inner = walker.shadowRoot(node);
    if (!inner) return;
    for (let at = node; at; at = flatParent(at)) around.add(at);
    for (const slot of inner.querySelectorAll('slot')) for (let at = slot; at; at = flatParent(at)) around.add(at);
    search(inner);
  };
  see(element);
  search(element);
  return around;
}

// The visible text, as a person would copy it.
function shownText(element) {
  const around = aroundRoots(element);
  if (!around.size) return plain(element).innerText ?? element.textContent ?? '';
  return [...piecesOf(element, around)].join('').replace(/ *\n */g, '\n').replace(/\n{3,}/g, '\n\n').trim();
}

function readText(id, limit) {
  const element = id ? walker.element(id) : document.body;
  if (!element) return id ? { problem: 'gone' } : { text: '', total: 0 };
  let text = walker.secret(element) ? '' : shownText(element);
  for (const part of walker.hiddenTexts(element)) {
    const secret = shownText(part);
    if (secret) text = text.replaceAll(secret, '(withheld)');
  }
  return { text: text.slice(0, limit), total: text.length };
}

// What a picture shows, and what it must not show: secret fields and the documents of other sites.

const MAX_VEILS = 300;
const COVER = 'rgb(40, 40, 40)';

function pageBox(id) {
  const element = id ? walker.element(id) : null;
  if (id && !element) return { problem: 'gone' };
  const surface = element && surfaceOf(element);
  if (element && !surface) return { problem: 'not_visible', why: walker.whyUnseen(element) };
  const root = document.documentElement;
  const page = {
    // Drawn as a whole it has no scroll bar, and its content takes that place too.
    width: Math.max(root.scrollWidth, innerWidth), height: Math.max(root.scrollHeight, innerHeight), x: scrollX, y: scrollY,
    vw: innerWidth, vh: innerHeight,
  };
  if (!surface) return { page, ...veils() };
  const { left, top, width, height } = boxOf(surface);
  return { page, box: [left + scrollX, top + scrollY, width, height] };
}

// The elements to cover, and whether one of them is being filled right now.
function veils() {
  const at = deepActive();
  const secret = walker.secretParts().filter(isDrawn);
  return { veils: [...new Set(secret.map(outermost))].map(walker.idOf), writing: Boolean(at && walker.secret(at)) };
}

const isDrawn = (element) => {
  const { width, height } = boxOf(element);
  return width > 0 && height > 0 && Element.prototype.checkVisibility.call(element);
};

// The browser can name what lies in a shadow root only by its host.
function outermost(element) {
  for (let root = rootOf(element); root instanceof ShadowRoot; root = rootOf(element)) element = root.host;
  return element;
}

// Where they are, and a selector for all of them that holds as long as the document stays as it is.
function veilPlaces(ids) {
  const elements = ids.map(walker.element).filter((element) => element && plain(element).isConnected);
  const places = elements.map((element) => {
    const { left, top, width, height } = boxOf(element);
    return [left + scrollX, top + scrollY, width, height].map(Math.round);
  });
  const first = elements.length ? walker.idOf(elements[0]) : 0;
  const selector = elements.length > MAX_VEILS ? ':root' : elements.map(pathTo).join(',');
  return { first, selector, places: elements.length > MAX_VEILS ? [] : places };
}

function pathTo(element) {
  const steps = [];
  for (let at = element; at && at !== document.documentElement; at = parentElement.call(at)) {
    let place = 1;
    for (let before = at; (before = previousElement.call(before));) place += 1;
    steps.unshift(`:nth-child(${place})`);
  }
  return [':root', ...steps].join('>');
}
const previousElement = Object.getOwnPropertyDescriptor(Element.prototype, 'previousElementSibling').get;

// A part of a picture of a view so wide, painted over in places, scaled and written anew.
async function redraw(data, { x, y, width, height, scale, format, quality, covers = [] }, viewWidth) {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes]));
  const canvas = new OffscreenCanvas(Math.max(1, Math.trunc(width * scale)), Math.max(1, Math.trunc(height * scale)));
  const pen = canvas.getContext('2d');
  pen.imageSmoothingQuality = 'high';
  const dots = picture.width / viewWidth;
  pen.drawImage(picture, ...[x, y, width, height].map((n) => n * dots), 0, 0, canvas.width, canvas.height);
  pen.fillStyle = COVER;
  for (const cover of covers) pen.fillRect(...cover.map((n) => n * scale));
  const written = await canvas.convertToBlob({ type: `image/${format}`, quality: quality && quality / 100 });
  let text = '';
  for (const byte of new Uint8Array(await written.arrayBuffer())) text += String.fromCharCode(byte);
  return btoa(text);
}

// Where a page shows what a proof must not: mail addresses, and the digits of cards. The same patterns as in
// runs/masking.py; of a match only what stands in its group is covered, if it has one.

const PERSONAL = [
  /[\w.+'-]{1,64}@[^\W_][\w.-]{0,250}/gd,
  /[*•●∙·xX#]{2,}[\s-]{0,30}\d{2,4}(?!\d)/gd,
  /(?:ending|ends)(?:\s+(?:in|with))?(?:\s+the\s+digits)?:?\s+(?!20[2-4]\d)(\d{4})(?!\d|[./-]\d)/gid,
  /(?:endet\s+auf|endend\s+auf|mit\s+den?\s+endziffern?):?\s+(?!20[2-4]\d)(\d{4})(?!\d|[./-]\d)/gid,
  /(?:termina(?:da|ndo|nt)?|finissant)(?:\s+(?:en|con|in|per|par))?:?\s+(?!20[2-4]\d)(\d{4})(?!\d|[./-]\d)/gid,
  /\b(?:visa|master ?card|maestro|amex|american express|discover|diners(?: club)?|girocard)[\s-]{1,30}(\d{4})(?!\d)/gid,
  /(?<![\d.,])\d(?:[ \u00a0-]?\d){12,18}(?![\d.,])/gd,
];
const MAX_PERSONAL = 300;
const LONGEST_RUN = 20_000;
const FIELDS = 'input,textarea,select';
// A form may be named like what is asked of its document.
const queryAll = (root, selector) =>
  (root instanceof Document ? Document : DocumentFragment).prototype.querySelectorAll.call(root, selector);

// Boxes in pixels of what is in view. A word may be cut into several elements, so lines are read as they are drawn.
function personalPlaces() {
  const boxes = [];
  for (const root of walker.roots()) {
    for (const run of runsOf(root)) {
      for (const [start, end] of matchesIn(run.text)) boxes.push(...drawn(run, start, end));
    }
    for (const field of queryAll(root, FIELDS)) {
      const shown = field instanceof HTMLSelectElement ? field.selectedOptions[0]?.text ?? '' : field.value;
      if (matchesIn(shown).length && isDrawn(field)) boxes.push(boxOf(field));
    }
    if (boxes.length > MAX_PERSONAL) return [[0, 0, innerWidth, innerHeight]];
  }
  return boxes.map(({ left, top, width, height }) => [left - 1, top - 1, width + 2, height + 2].map(Math.round));
}

function matchesIn(text) {
  const found = [];
  for (const pattern of PERSONAL) {
    for (const match of text.slice(0, LONGEST_RUN).matchAll(pattern)) found.push(match.indices[1] ?? match.indices[0]);
  }
  return found;
}

// The texts of a root, joined as far as they stand in one line of thought: in the same block.
function runsOf(root) {
  const runs = new Map();
  const walk = Document.prototype.createTreeWalker.call(document, root, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const block = blockOf(node);
    if (!block) continue;
    if (!runs.has(block)) runs.set(block, { text: '', nodes: [] });
    const run = runs.get(block);
    run.nodes.push([run.text.length, node]);
    run.text += node.data;
  }
  return runs.values();
}

function blockOf(node) {
  let at = parentElement.call(node) ?? node.parentNode?.host;
  while (at && parentElement.call(at) && getComputedStyle(at).display.startsWith('inline')) at = parentElement.call(at);
  return at;
}

function drawn(run, start, end) {
  const place = (index) => {
    const [from, node] = run.nodes.findLast(([begins]) => begins <= index);
    return [node, index - from];
  };
  const range = new Range();
  range.setStart(...place(start));
  const [last, offset] = place(end - 1);
  range.setEnd(last, offset + 1);
  return [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
}

// What a program may read of a document beside what a snapshot shows: markup, one element, kept values. Secrets are in none.

const NOT_TOLD = new Set(['script', 'noscript', 'template']);
const STYLES = ['display', 'visibility', 'opacity', 'color', 'background-color', 'font-size', 'font-family',
  'font-weight', 'position', 'z-index', 'overflow', 'cursor', 'pointer-events', 'width', 'height'];
const MAX_MARKUP_NODES = 200000;
const MAX_ATTRIBUTE = 2000;

// A document may hold elements that are named like its own members.
const ofDocument = (name) => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document);

const isUntold = (element) => element.type === 'hidden' || Boolean(walker.secret(element));

// A copy, from which everything is taken that a person could not read: the page itself stays as it is.
function source(limit) {
  const root = ofDocument('documentElement');
  const title = ofDocument('title').toWellFormed();
  const count = Document.prototype.getElementsByTagName.call(document, '*').length;
  if (!root || count > MAX_MARKUP_NODES) return { html: '', title, url: location.href, total: 0, nodes: count };
  const copy = root.cloneNode(true);
  const fields = 'input, textarea, [contenteditable]';
  const copies = [...copy.querySelectorAll(fields)];
  [...root.querySelectorAll(fields)].forEach((field, place) => {
    if (!isUntold(field)) return;
    copies[place].removeAttribute('value');
    if (!(field instanceof HTMLInputElement)) copies[place].textContent = '';
  });
  for (const part of copy.querySelectorAll([...NOT_TOLD].join())) part.textContent = '';
  for (const part of copy.querySelectorAll('meta[name*="csrf" i], meta[name*="token" i]')) part.removeAttribute('content');
  const html = `<!DOCTYPE html>${copy.outerHTML}`.toWellFormed();
  return { html: html.slice(0, limit), title, url: location.href, total: html.length, nodes: count };
}

function attributesOf(element) {
  const untold = 'type' in element || plain(element).isContentEditable ? isUntold(element) : false;
  const found = {};
  for (const { name, value } of element.attributes) {
    if (name === 'value' && untold) continue;
    found[name] = value.slice(0, MAX_ATTRIBUTE).toWellFormed();
  }
  return found;
}

function inspect(id, wanted) {
  const element = walker.element(id);
  if (!element || !plain(element).isConnected) return { problem: 'gone' };
  const { flags } = walker.state(element);
  const { left, top, width, height } = boxOf(element);
  const field = kindOf(element);
  const hidden = field && walker.secret(element);
  const readers = {
    visible: () => Boolean(surfaceOf(element)),
    enabled: () => !(flags & walker.flags.DISABLED),
    checked: () => Boolean(flags & walker.flags.CHECKED),
    text: () => readText(id, 20000).text.toWellFormed(),
    value: () => hidden ? '[withheld]' : element instanceof HTMLSelectElement ? element.value : valueOf(element).toWellFormed(),
    boundingBox: () => ({ x: left, y: top, width, height }),
    attributes: () => attributesOf(element),
    computedStyle: () => {
      const style = getComputedStyle(element);
      return Object.fromEntries(STYLES.map((name) => [name, style.getPropertyValue(name)]));
    },
  };
  return Object.fromEntries(wanted.map((name) => [name, readers[name]()]));
}

// The numbers of everything in an element, what lies in its shadow roots included.
function inside(id) {
  const found = [];
  const add = (element) => {
    found.push(walker.idOf(element));
    for (const root of [walker.shadowRoot(element), element]) {
      for (const child of root ? plain(root).children : []) add(child);
    }
  };
  const element = walker.element(id);
  if (element) add(element);
  return found;
}

// Whether paper would show what only a person may read.
function holdsSecret() {
  return walker.secretParts().some((element) => kindOf(element) && valueOf(element) !== '');
}

const itemsOf = (kept) => Array.from({ length: kept.length }, (_, place) => {
  const name = kept.key(place);
  return { name: name.toWellFormed(), value: (kept.getItem(name) ?? '').toWellFormed() };
});

// None where the document has no origin, or may not keep anything.
function storage() {
  if (!/^https?:/.test(self.origin)) return null;
  try {
    return { origin: self.origin, localStorage: itemsOf(localStorage), sessionStorage: itemsOf(sessionStorage) };
  } catch {
    return null;
  }
}

function restore(kept) {
  for (const { name, value } of kept.localStorage) localStorage.setItem(name, value);
  for (const { name, value } of kept.sessionStorage ?? []) sessionStorage.setItem(name, value);
  return true;
}

// A part of a picture with boxes and labels drawn on it.
async function annotate(data, pictureWidth, [x, y, width, height], marks, style) {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes]));
  const canvas = new OffscreenCanvas(Math.max(1, Math.trunc(width)), Math.max(1, Math.trunc(height)));
  const pen = canvas.getContext('2d');
  const dots = picture.width / pictureWidth;
  pen.drawImage(picture, ...[x, y, width, height].map((n) => n * dots), 0, 0, canvas.width, canvas.height);
  pen.font = 'bold 11px sans-serif';
  pen.textBaseline = 'top';
  for (const { label, box: [left, top, wide, high] } of marks) {
    const [at, down] = [left - x, top - y];
    pen.strokeStyle = style.colour;
    pen.lineWidth = 2;
    pen.strokeRect(at, down, wide, high);
    const size = pen.measureText(label).width + 6;
    pen.fillStyle = style.colour;
    pen.fillRect(at, Math.max(0, down - 14), size, 14);
    pen.fillStyle = style.text;
    pen.fillText(label, at + 3, Math.max(0, down - 14) + 2);
  }
  const written = await canvas.convertToBlob({ type: `image/${style.format}`, quality: style.quality / 100 });
  let text = '';
  for (const byte of new Uint8Array(await written.arrayBuffer())) text += String.fromCharCode(byte);
  return btoa(text);
}

globalThis.actor = Object.freeze({
  ready, through, intoFrame, fromFrame, disarm, enter, focus, focused, keepSecrets, setValue, holds, fileField,
  canChoose, choose, options, shownLists, scroll, reveal, rest, until, isStill, readText, pageBox, veils, veilPlaces,
  redraw, personalPlaces, source, inspect, inside, holdsSecret, storage, restore, annotate,
});

})();
}