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
