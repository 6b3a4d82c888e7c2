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
