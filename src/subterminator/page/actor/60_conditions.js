// Conditions to wait for, checked again at every change and at least every 100 ms.

const squeezed = (text) => text.replace(/\s+/g, ' ').trim().toLowerCase();

function hasText(text) {
  const body = document.body;
  // A frame that is not drawn has no size, but its text would still be told.
  if (!body || !innerWidth || !innerHeight) return false;
  return squeezed(shownText(body)).includes(squeezed(text));
}

function stateHolds(element, state) {
  if (!element || !plain(element).isConnected) return state === 'gone' || state === 'hidden';
  const { flags } = walker.describe(walker.idOf(element));
  switch (state) {
    case 'exists': return true;
    case 'gone': return false;
    case 'visible': return Boolean(surfaceOf(element));
    case 'hidden': return !surfaceOf(element);
    case 'enabled': return Boolean(surfaceOf(element)) && !(flags & 4);
    case 'disabled': return Boolean(flags & 4);
    case 'checked': return Boolean(flags & 32);
    case 'unchecked': return !(flags & 32);
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
  const negative = condition.state === 'gone' || condition.state === 'hidden';
  return negative
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
  const text = shownText(element);
  return { text: text.slice(0, limit), total: text.length };
}

function pageBox(id) {
  const element = id ? walker.element(id) : null;
  if (id && !element) return { problem: 'gone' };
  const surface = element && surfaceOf(element);
  if (element && !surface) return { problem: 'not_visible', why: walker.describe(id).why };
  const root = document.documentElement;
  const page = { width: root.scrollWidth, height: Math.max(root.scrollHeight, innerHeight), x: scrollX, y: scrollY, vw: innerWidth, vh: innerHeight };
  if (!surface) return { page };
  const { left, top, width, height } = boxOf(surface);
  return { page, box: [left + scrollX, top + scrollY, width, height] };
}
