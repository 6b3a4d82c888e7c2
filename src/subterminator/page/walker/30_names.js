// Accessible names and descriptions (accname 1.2, with the choices Chromium makes where it leaves any).

const MAX_NAME = 1000;
const MAX_IDREFS = 50;
const MAX_NODES_PER_NAME = 3000;
const MAX_NAME_DEPTH = 200;

const NAMED_BY_CONTENT = wordSet(`button cell checkbox columnheader gridcell heading link math menuitem
  menuitemcheckbox menuitemradio option radio row rowheader switch tab tooltip treeitem doc-backlink doc-biblioref
  doc-glossref doc-noteref`);
const VALUE_ROLES = wordSet('slider spinbutton scrollbar progressbar meter');
const LABELABLE_TAGS = wordSet('button input meter output progress select textarea');
const INLINE_TAGS = wordSet(`a abbr acronym b bdi bdo big br cite code data del dfn em font i ins kbd label mark nobr
  q rp rt ruby s samp small span strike strong sub sup time tt u var wbr slot`);
const NO_CONTENT = wordSet(`script style template noscript head title meta link iframe frame object embed video audio
  canvas input textarea select datalist img progress meter map`);
const VISIBLE = { visibilityProperty: true };

// Filled during one walk or question, and dropped after it: the page changes in between.
let memo;
function freshMemo() {
  memo = { names: new Map(), contents: new Map(), referenced: new Map(), labels: new Map(), looks: new Map(),
           owned: null, counters: null };
}
freshMemo();

function nameOf(el, role, tag = tagOf(el)) {
  let name = memo.names.get(el);
  if (name === undefined) {
    name = cut(squash(computeName(el, role, tag).slice(0, MAX_NAME * 4)), MAX_NAME);
    memo.names.set(el, name);
  }
  return name;
}

const newSearch = (el, referenced = false, hidden = false) =>
  ({ depth: 0, left: MAX_NODES_PER_NAME, referenced, hidden, path: new Set([el]) });

const nameless = text => text === null || squash(text) === '';

function computeName(el, role, tag) {
  if (hasAttributes.call(el)) {
    const referenced = referencedText(el, 'aria-labelledby');
    if (referenced) return referenced;
    const label = attr(el, 'aria-label');
    if (!nameless(label)) return label;
  }
  const search = newSearch(el);
  const native = nativeName(el, tag, search);
  if (!nameless(native) || (tag === 'img' && native !== null)) return native;
  if (NAMED_BY_CONTENT.has(role) && !NO_CONTENT.has(tag)) {
    const text = contentText(el, tag, search);
    if (!nameless(text)) return text;
  }
  return fallbackName(el, tag);
}

function fallbackName(el, tag) {
  const title = attr(el, 'title');
  if (!nameless(title)) return title;
  if (isSvg(el)) return attr(el, 'xlink:title') || '';
  if (tag === 'input' || tag === 'textarea') {
    return attr(el, 'placeholder') || attr(el, 'aria-placeholder') || defaultButtonName(el, tag);
  }
  return attr(el, 'aria-placeholder') || '';
}

const DEFAULT_BUTTON_NAMES = { submit: 'Submit', reset: 'Reset', image: 'Submit' };
const defaultButtonName = (el, tag) => (tag === 'input' && DEFAULT_BUTTON_NAMES[el.type]) || '';

function referencedText(el, attribute, seen = null) {
  const value = attr(el, attribute);
  if (value === null) return '';
  const root = getRootNode.call(el);
  const texts = [];
  for (const id of value.slice(0, 5000).trim().split(/\s+/).slice(0, MAX_IDREFS)) {
    const target = id && elementById(root, id);
    if (!target) continue;
    texts.push(targetText(target));
    if (seen) seen.add(target);
  }
  return squash(texts.join(' '));
}

// The text of an element that a label refers to. A hidden target is read with everything hidden inside it.
function targetText(target) {
  let text = memo.referenced.get(target);
  if (text === undefined) {
    memo.referenced.set(target, '');
    const search = newSearch(target, true, !isShown(target));
    text = cut(squash(alternative(target, tagOf(target), search).text), MAX_NAME);
    memo.referenced.set(target, text);
  }
  return text;
}

const isShown = el => checkVisibility.call(el, VISIBLE) && !isOn(el, 'aria-hidden') || isContentsShown(el);
const isContentsShown = el => {
  const style = styleOf(el);
  return style.display === 'contents' && style.visibility === 'visible';
};

function labelsOf(el) {
  const root = getRootNode.call(el);
  let labels = memo.labels.get(root);
  if (!labels) {
    // One pass per root: the `labels` property of a control searches the whole document each time.
    labels = new Map();
    if (kindOf(root) !== 'element') {
      for (const label of queryAll(root, 'label')) {
        const control = label.control;
        if (control) labels.set(control, [...(labels.get(control) || []), label].slice(0, MAX_IDREFS));
      }
    }
    memo.labels.set(root, labels);
  }
  return labels.get(el) || [];
}

function labelText(el) {
  const texts = [];
  for (const label of labelsOf(el)) {
    const search = newSearch(label, true, !isShown(label));
    search.path.add(el);
    texts.push(alternative(label, 'label', search).text);
  }
  return squash(texts.join(' '));
}

const firstChildNamed = (el, tag) => {
  for (let node = firstElementOf.call(el); node; node = nextElementOf.call(node)) if (tagOf(node) === tag) return node;
  return null;
};
const svgTitle = el => {
  const title = firstChildNamed(el, 'title');
  return title ? squash(textOf.call(title).slice(0, MAX_DATA)) : '';
};

const NATIVE_NAMES = {
  img: el => attr(el, 'alt'), area: el => attr(el, 'alt'), svg: svgTitle,
  fieldset: (el, search) => childText(el, 'legend', search), table: (el, search) => childText(el, 'caption', search),
  optgroup: el => attr(el, 'label'), option: el => attr(el, 'label'),
  html: () => titleOf.call(page),
};

function nativeName(el, tag, search) {
  if (LABELABLE_TAGS.has(tag)) {
    const label = labelText(el);
    if (label) return label;
    if (tag === 'input') return inputName(el);
  }
  const own = NATIVE_NAMES[tag];
  if (own) return own(el, search);
  return isSvg(el) ? svgTitle(el) : null;
}

function childText(el, tag, search) {
  const child = firstChildNamed(el, tag);
  return child ? alternative(child, tag, { ...search, path: new Set([...search.path, child]) }).text : null;
}

function inputName(el) {
  const type = el.type;
  if (type === 'image') return attr(el, 'alt') || attr(el, 'value');
  return type === 'button' || type === 'submit' || type === 'reset' ? attr(el, 'value') : null;
}

// The text an element adds to a name it is part of, and whether that text came from elsewhere than its contents
// (then it is kept apart by spaces from what stands beside it).
function alternative(el, tag, search) {
  if (tag === 'slot') return { text: contentText(el, tag, search), apart: false };
  const bare = !hasAttributes.call(el);
  if (!bare && !search.referenced) {
    const text = referencedText(el, 'aria-labelledby', search.path);
    if (text) return { text, apart: true };
  }
  const role = bare && !NATIVE.has(tag) ? 'generic' : roleOf(el, tag);
  const value = search.depth > 0 || VALUE_ROLES.has(role) ? embeddedValue(el, tag, role) : null;
  if (value !== null) return { text: value, apart: true };
  if (!bare) {
    const label = attr(el, 'aria-label');
    if (!nameless(label)) return { text: label, apart: true };
  }
  const native = nativeName(el, tag, search);
  if (!nameless(native)) return { text: native, apart: true };
  const text = NO_CONTENT.has(tag) ? '' : contentText(el, tag, search);
  if (!nameless(text) || bare) return { text, apart: false };
  const title = fallbackName(el, tag);
  return { text: title || text, apart: title !== '' };
}

function embeddedValue(el, tag, role) {
  if (tag === 'select') return selectedLabels(el).join(' ');
  if (role === 'textbox' || role === 'searchbox' || (role === 'combobox' && tag === 'input')) {
    return tag === 'input' || tag === 'textarea' ? (isSecret(el) ? '' : el.value) : squash(textOf.call(el).slice(0, MAX_DATA));
  }
  if (role === 'combobox' || role === 'listbox') return chosenText(el);
  if (!VALUE_ROLES.has(role)) return null;
  const shown = attr(el, 'aria-valuetext') || attr(el, 'aria-valuenow');
  if (shown !== null) return shown;
  return tag === 'input' || tag === 'progress' || tag === 'meter' ? String(el.value) : null;
}

function chosenText(el) {
  const chosen = [...queryAll(el, '[role=option][aria-selected=true],[role=option][aria-checked=true]')];
  if (chosen.length) return chosen.slice(0, MAX_IDREFS).map(option => nameOf(option, 'option')).join(' ');
  return roleOf(el) === 'combobox' ? squash(textOf.call(el).slice(0, MAX_DATA)) : '';
}

const selectedLabels = el => Array.from(el.selectedOptions).slice(0, MAX_IDREFS).map(optionLabel);
const optionLabel = option => squash((attr(option, 'label') || option.text).slice(0, MAX_DATA));

function contentText(el, tag, search) {
  const store = search.referenced || search.hidden ? null : memo.contents;
  const known = store && store.get(el);
  if (known !== undefined && known !== null) return known;
  const text = gatherText(el, tag, search).slice(0, MAX_NAME * 4);
  if (store) store.set(el, text);
  return text;
}

function gatherText(el, tag, search) {
  if (search.depth >= MAX_NAME_DEPTH) return '';
  const out = { text: textBeforeContent(el, tag), apart: false };
  const shown = search.hidden || search.depth === 0 || styleVisible(el);
  for (const node of namedChildren(el, tag)) {
    if (--search.left < 0 || out.text.length > MAX_NAME * 4) break;
    const type = typeOf.call(node);
    if (type === TEXT) {
      if (shown) join(out, transformed(el, tag, textData(node)), false);
    } else if (type === ELEMENT) {
      joinElement(out, node, search);
    }
  }
  join(out, textAfterContent(el, tag), false);
  return out.text;
}

function join(out, text, apart) {
  if (!text) return;
  if ((apart || out.apart) && out.text && !/\s$/.test(out.text) && !/^\s/.test(text)) out.text += ' ';
  out.text += text;
  out.apart = apart;
}

function joinElement(out, node, search) {
  const tag = tagOf(node);
  if (tag === 'br') return join(out, ' ', false);
  if (search.path.has(node) || UNSEEN_TAGS.has(tag)) return;
  if (!search.hidden && !mayShow(node)) return;
  search.path.add(node);
  search.depth += 1;
  const { text, apart } = alternative(node, tag, search);
  search.depth -= 1;
  search.path.delete(node);
  const separate = apart || !isInline(node, tag);
  if (text) join(out, text, separate);
  else if (separate) out.apart = out.text !== '';
}

const UNSEEN_TAGS = wordSet(`script style template noscript head title meta link base param source track datalist
  defs desc symbol metadata clipPath mask linearGradient radialGradient marker pattern filter`);

const styleVisible = el => !hasAttributes.call(el) && checkVisibility.call(el, VISIBLE) || styleOf(el).visibility === 'visible';

// False where nothing of the element can add to a name: no box, or hidden from assistive technology.
function mayShow(el) {
  if (checkVisibility.call(el, VISIBLE)) return !(hasAttributes.call(el) && isOn(el, 'aria-hidden'));
  if (isOn(el, 'aria-hidden')) return false;
  const style = styleOf(el);
  if (style.display === 'none') return false;
  return style.display === 'contents' || style.visibility !== 'visible';
}

const isInline = (el, tag) => {
  if (!hasAttributes.call(el) && INLINE_TAGS.has(tag)) return styleOf(el).display === 'inline';
  const display = styleOf(el).display;
  return display === 'inline' || display === 'contents' || display.startsWith('ruby');
};

// Flat-tree children, then what aria-owns moves here; a child that another element owns is not ours.
function* namedChildren(el, tag) {
  const owned = ownership();
  for (const child of flatChildren(el, tag)) {
    if (owned.size === 0 || !owned.has(child) || owned.get(child) === el) yield child;
  }
  if (owned.size && has(el, 'aria-owns')) {
    for (const [child, owner] of owned) if (owner === el && flatParent(child) !== el) yield child;
  }
}

function ownership() {
  if (memo.owned) return memo.owned;
  memo.owned = new Map();
  for (const owner of [...queryAll(page, '[aria-owns]')].slice(0, 2000)) {
    if (closest.call(owner, '[aria-hidden=true]')) continue;
    for (const id of attr(owner, 'aria-owns').slice(0, 2000).trim().split(/\s+/).slice(0, MAX_IDREFS)) {
      const child = id && elementById(page, id);
      if (child && !memo.owned.has(child) && !contains.call(child, owner)) memo.owned.set(child, owner);
    }
  }
  return memo.owned;
}

function descriptionOf(el, name) {
  const described = referencedText(el, 'aria-describedby') || squash(attr(el, 'aria-description') || '');
  if (described) return cut(described, 200);
  const title = squash((attr(el, 'title') || '').slice(0, 2000));
  return title && title !== name ? cut(title, 200) : '';
}
