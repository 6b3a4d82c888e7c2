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
