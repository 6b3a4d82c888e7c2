// Conditions to wait for, checked again at every change and at least every 100 ms.

const squeezed = (text) => text.replace(/\s+/g, ' ').trim().toLowerCase();

function hasText(text) {
  const body = document.body;
  if (!body) return false;
  if (squeezed(body.innerText).includes(squeezed(text))) return true;
  return walker.locate({ type: 'text', value: text }).length > 0;
}

function stateHolds(element, state) {
  if (!element?.isConnected) return state === 'gone' || state === 'hidden';
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
    const end = (value) => { changes.disconnect(); clearInterval(ticker); clearTimeout(last); done(value); };
    let planned = false;
    const look = () => { planned = false; if (holdsNow(condition)) end(true); };
    // A storm of changes must not become a storm of checks.
    const changes = new MutationObserver(() => { if (!planned) { planned = true; setTimeout(look, 10); } });
    changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    const ticker = setInterval(look, 100);
    const last = setTimeout(() => end(holdsNow(condition)), ms);
  });
}

// The visible text, as a person would copy it.
function readText(id, limit) {
  const element = id ? walker.element(id) : document.body;
  if (!element) return { gone: Boolean(id), text: '', total: 0 };
  const text = element.innerText ?? element.textContent ?? '';
  return { text: text.slice(0, limit), total: text.length };
}

function pageBox(id) {
  const surface = id ? surfaceOf(walker.element(id)) : null;
  const root = document.documentElement;
  const page = { width: root.scrollWidth, height: Math.max(root.scrollHeight, innerHeight), x: scrollX, y: scrollY, vw: innerWidth, vh: innerHeight };
  if (!surface) return { page };
  const { left, top, width, height } = boxOf(surface);
  return { page, box: [left + scrollX, top + scrollY, width, height] };
}
