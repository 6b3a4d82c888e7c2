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
