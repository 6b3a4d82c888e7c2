// The page's end of the content hand, beside world.js in the extension's own world: carries out what the worker asks
// for, one message each. Presses and keys are synthetic here: no script can make a trusted one.

(() => {
'use strict';
if (globalThis.reachWorker) { globalThis.reachWorker(); return; }

const parentElement = Object.getOwnPropertyDescriptor(Node.prototype, 'parentElement').get;
const rootOf = (node) => Node.prototype.getRootNode.call(node);
const isFrame = (el) => el instanceof HTMLIFrameElement || el instanceof HTMLFrameElement;
// Runs also where a sandbox stops the usual timers.
const turn = () => scheduler.postTask(() => {}, { priority: 'user-blocking' });
// What a press puts off to the next turn, such as sending a form, begins before it is answered.
const rest = () => turn().then(turn);
const run = (command, text) => Document.prototype.execCommand.call(document, command, false, text);

function flatParent(node) {
  const slot = Object.getOwnPropertyDescriptor(Element.prototype, 'assignedSlot').get.call(node);
  if (slot) return slot;
  const root = rootOf(node);
  return parentElement.call(node) ?? (root instanceof ShadowRoot ? root.host : null);
}

function nearest(node, fits) {
  for (let at = node; at; at = flatParent(at)) if (fits(at)) return at;
  return null;
}

function deepestAt(x, y) {
  let hit = Document.prototype.elementFromPoint.call(document, x, y);
  for (;;) {
    const inner = hit && walker.shadowRoot(hit)?.elementFromPoint(x, y);
    if (!inner || inner === hit) return hit;
    hit = inner;
  }
}

function deepActive() {
  let at = document.activeElement;
  for (let inner = at; inner; inner = walker.shadowRoot(at)?.activeElement) at = inner;
  return at ?? document.documentElement;
}

const describe = (el) => `${walker.role(el) || el.localName} ${JSON.stringify(walker.name(el).slice(0, 60))}`;

// Frames: the worker knows them by number, a document by its elements. Both know the order of the windows.

function windowsOf(holder) {
  return Array.from({ length: holder.length }, (_, index) => holder[index]);
}

function place() {
  return parent === window ? 0 : windowsOf(parent).indexOf(window);
}

function frameElements() {
  return [...walker.roots()].flatMap((root) => [...root.querySelectorAll('iframe, frame')]).filter(isFrame);
}

// The element that holds a window, by its place among them. One in a shadow tree has none: -1 means the only such.
function holder(index) {
  const windows = windowsOf(window);
  const found = frameElements().filter((el) => windows.indexOf(el.contentWindow) === index);
  return found.length === 1 ? walker.idOf(found[0]) : 0;
}

function into(frame, x = 0, y = 0) {
  return { into: windowsOf(window).indexOf(frame.contentWindow), ...actor.intoFrame(walker.idOf(frame), x, y) };
}

function under(x, y) {
  const hit = deepestAt(x, y);
  return hit && isFrame(hit) ? into(hit, x, y) : null;
}

// Closed roots: an extension may look into them. The mark on the page is ours, and no part of it.

function opened(text, options) {
  let walked = text;
  for (let round = 0; round < 8 && !walked.endsWith('"hosts":[]}'); round += 1) {
    const { hosts } = JSON.parse(walked);
    for (const host of hosts.map((id) => walker.element(id)).filter(Boolean)) {
      const root = host === globalThis.subterminatorMark ? null : chrome.dom?.openOrClosedShadowRoot(host);
      if (root && root.mode === 'closed') walker.adopt(host, root);
    }
    walker.asked(hosts);
    walked = walker.walk(options);
  }
  return walked;
}

// What a press is meant for; kept from the check to the press.
const aim = { element: null, down: null, button: '' };

const FUNCTIONS = {
  'walker.walk': (options) => opened(walker.walk(options), options),
  async 'actor.rest'(options) {
    const report = await actor.rest(options);
    if (report.walk) report.walk = opened(report.walk, options.walk);
    aim.element = null;
    return report;
  },
  async 'actor.ready'(id, options) {
    const answer = await actor.ready(id, options);
    aim.element = options.guard && !answer.problem ? walker.element(id) : null;
    return answer;
  },
  'actor.disarm'() { aim.element = null; return actor.disarm(); },
};

function call(owner, name, given) {
  const own = FUNCTIONS[`${owner}.${name}`];
  if (own) return own(...given);
  const functions = { walker, actor }[owner];
  if (!Object.hasOwn(functions, name)) throw new Error(`there is no function ${owner}.${name}`);
  return functions[name](...given);
}

// Presses

const isAimed = (hit) => !aim.element || hit && (nearest(hit, (at) => at === aim.element) !== null
  || [...(aim.element.labels ?? [])].some((label) => nearest(hit, (at) => at === label))
  || nearest(hit, (at) => at instanceof HTMLLabelElement && at.control === aim.element) !== null);

const BUTTONS = { none: -1, left: 0, middle: 1, right: 2 };
const MASKS = { none: 0, left: 1, right: 2, middle: 4 };

function pointer(kind, target, { x, y, button, modifiers = 0, clickCount = 0 }, held) {
  const of = kind.startsWith('pointer') || kind === 'click' ? PointerEvent : MouseEvent;
  const crosses = !['pointerenter', 'mouseenter', 'pointerleave', 'mouseleave'].includes(kind);
  return EventTarget.prototype.dispatchEvent.call(target, new of(kind, {
    bubbles: crosses, cancelable: crosses, composed: true, view: window, detail: clickCount,
    clientX: x, clientY: y, screenX: screenX + x, screenY: screenY + y,
    altKey: Boolean(modifiers & 1), ctrlKey: Boolean(modifiers & 2), metaKey: Boolean(modifiers & 4),
    shiftKey: Boolean(modifiers & 8), button: Math.max(0, BUTTONS[button]), buttons: held ? MASKS[button] : 0,
    pointerId: 1, pointerType: 'mouse', isPrimary: true,
  }));
}

const FOCUSABLE = 'a[href], area[href], button, input, select, textarea, summary, [tabindex], [contenteditable]';
const { matches } = Element.prototype;
const canFocus = (el) => matches.call(el, FOCUSABLE) && !matches.call(el, ':disabled');

// A link that opens a new window: what a script clicks would be blocked as a popup, so the worker opens it.
function elsewhere(event) {
  const link = nearest(event.composedPath()[0], (at) => at instanceof HTMLAnchorElement && at.href);
  if (!link || event.defaultPrevented) return '';
  if (['', '_self', '_parent', '_top'].includes(link.target.toLowerCase())) return '';
  if (frameElements().some((el) => el.name === link.target)) return '';
  event.preventDefault();
  return link.href;
}

function click(target, stroke) {
  let open = '';
  const last = (event) => { open = elsewhere(event); };
  window.addEventListener('click', last, { once: true });
  pointer('click', target, stroke, false);
  window.removeEventListener('click', last);
  return open;
}

function press(hit, stroke) {
  if (!isAimed(hit)) return { stray: hit ? describe(hit) : 'nothing' };
  Object.assign(aim, { down: hit, button: stroke.button });
  pointer('pointerdown', hit, stroke, true);
  if (pointer('mousedown', hit, stroke, true)) {
    const focus = nearest(hit, canFocus);
    if (focus) focus.focus({ preventScroll: true });
    else document.activeElement?.blur?.();
  }
  return {};
}

function release(hit, stroke) {
  const { down } = aim;
  aim.down = null;
  if (!down) return {};
  const target = hit ?? document.documentElement;
  pointer('pointerup', target, stroke, false);
  pointer('mouseup', target, stroke, false);
  if (!isAimed(hit)) return { slipped: hit ? describe(hit) : 'nothing' };
  const both = nearest(down, (at) => hit && nearest(hit, (other) => other === at));
  if (!both || !both.isConnected) return {};
  if (stroke.button === 'right') { pointer('contextmenu', both, stroke, false); return {}; }
  if (stroke.button === 'middle') { pointer('auxclick', both, stroke, false); return {}; }
  const open = click(both, stroke);
  if (stroke.clickCount === 2) pointer('dblclick', both, stroke, false);
  return { open };
}

const LEAVING = ['pointerout', 'mouseout', 'pointerleave', 'mouseleave'];
const ENTERING = ['pointerover', 'mouseover', 'pointerenter', 'mouseenter'];
let over = null;

function move(hit, stroke) {
  const held = stroke.buttons > 0;
  if (hit && hit !== over) {
    if (over?.isConnected) for (const kind of LEAVING) pointer(kind, over, stroke, held);
    for (const kind of ENTERING) pointer(kind, hit, stroke, held);
    over = hit;
  }
  for (const kind of ['pointermove', 'mousemove']) pointer(kind, hit ?? document.documentElement, stroke, held);
  return {};
}

async function mouse(stroke) {
  const inner = under(stroke.x, stroke.y);
  if (inner) return inner;
  const hit = deepestAt(stroke.x, stroke.y);
  const done = { mouseMoved: move, mousePressed: press, mouseReleased: release }[stroke.type](hit, stroke);
  if (stroke.type === 'mouseReleased') await rest();
  return done;
}

// Keys

const NOT_TEXT = /^(button|submit|reset|image|checkbox|radio|file|color|range|hidden)$/;
const isEditable = (el) => el instanceof HTMLTextAreaElement || el.isContentEditable
  || el instanceof HTMLInputElement && !NOT_TEXT.test(el.type);
const isPressable = (el) => el instanceof HTMLButtonElement || el.localName === 'summary'
  || el instanceof HTMLInputElement && !isEditable(el);

function keyboard(kind, target, stroke) {
  const { modifiers = 0 } = stroke;
  const code = kind === 'keypress' ? stroke.text.charCodeAt(0) : stroke.windowsVirtualKeyCode;
  return EventTarget.prototype.dispatchEvent.call(target, new KeyboardEvent(kind, {
    bubbles: true, cancelable: true, composed: true, view: window, key: stroke.key, code: stroke.code,
    keyCode: code, which: code, charCode: kind === 'keypress' ? code : 0,
    altKey: Boolean(modifiers & 1), ctrlKey: Boolean(modifiers & 2), metaKey: Boolean(modifiers & 4),
    shiftKey: Boolean(modifiers & 8),
  }));
}

function insert(at, text) {
  if (run('insertText', text) || !(at instanceof HTMLInputElement || at instanceof HTMLTextAreaElement)) return;
  const native = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(at), 'value').set;
  native.call(at, at.value + text);
  at.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true, inputType: 'insertText', data: text }));
}

function middle(el) {
  const box = el.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, button: 'left', clickCount: 0 };
}

// What Enter in a field does by itself: the form's own button is pressed, or a form with a single field is sent.
function submit(field) {
  const form = field.form;
  if (!form) return '';
  const parts = [...Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, 'elements').get.call(form)];
  const button = parts.find((el) => ['submit', 'image'].includes(el.type) && !(el instanceof HTMLObjectElement));
  if (button) return button.disabled ? '' : click(button, middle(button));
  if (parts.filter((el) => el instanceof HTMLInputElement && isEditable(el)).length === 1) {
    HTMLFormElement.prototype.requestSubmit.call(form);
  }
  return '';
}

function enter(at) {
  if (at instanceof HTMLTextAreaElement) { insert(at, '\n'); return ''; }
  if (at.isContentEditable) { run('insertParagraph'); return ''; }
  if (at instanceof HTMLInputElement && (isEditable(at) || ['checkbox', 'radio'].includes(at.type))) return submit(at);
  return isPressable(at) || at instanceof HTMLAnchorElement ? click(at, middle(at)) : '';
}

function moveFocus(at, back) {
  const all = [...walker.roots()].flatMap((root) => [...root.querySelectorAll(FOCUSABLE)])
    .filter((el) => el.tabIndex >= 0 && canFocus(el) && walker.isVisible(el))
    .sort((a, b) => (a.tabIndex || Infinity) - (b.tabIndex || Infinity));
  const next = all[all.indexOf(at) + (back ? -1 : 1)] ?? (back ? all.at(-1) : all[0]);
  next?.focus();
}

function closeDialog() {
  const dialog = [...document.querySelectorAll('dialog[open]')].filter((el) => el.matches(':modal')).at(-1);
  if (dialog?.dispatchEvent(new Event('cancel', { cancelable: true }))) dialog.close();
}

// In heights of the window.
const SCROLLS = { PageDown: 0.9, PageUp: -0.9, ArrowDown: 0.1, ArrowUp: -0.1, Home: -1e6, End: 1e6 };

function edit(at, { key, modifiers = 0 }) {
  if (key === 'Tab') moveFocus(at, Boolean(modifiers & 8));
  else if (key === 'Escape') closeDialog();
  else if (isEditable(at)) {
    if (key === 'Backspace') run('delete');
    if (key === 'Delete') run('forwardDelete');
  } else if (SCROLLS[key] && at === document.body) {
    scrollBy({ left: 0, top: SCROLLS[key] * innerHeight, behavior: 'instant' });
  }
}

let spaceOn = null;

function strike(at, stroke) {
  if (stroke.type === 'keyUp') {
    const pressed = keyboard('keyup', at, stroke) && stroke.key === ' ' && spaceOn === at;
    spaceOn = stroke.key === ' ' ? null : spaceOn;
    return pressed ? { open: click(at, middle(at)) } : {};
  }
  if (!keyboard('keydown', at, stroke)) return {};
  for (const command of stroke.commands ?? []) run(command);
  if (!stroke.text) { if (!stroke.commands?.length) edit(at, stroke); return {}; }
  const target = deepActive();
  if (walker.secret(target)) return kept(target);
  if (!keyboard('keypress', target, stroke)) return {};
  if (stroke.key === 'Enter') return { open: enter(target) };
  if (stroke.key === ' ' && isPressable(target)) spaceOn = target;
  else if (isEditable(target)) insert(target, stroke.text);
  return {};
}

const kept = (at) => ({ kept: describe(at) });
const writes = ({ key, type }) => type !== 'keyUp' && ([...key].length === 1 || ['Backspace', 'Delete'].includes(key));

async function key(stroke) {
  const at = deepActive();
  if (isFrame(at)) return into(at);
  // The fields of a person's secrets are theirs to fill.
  if (writes(stroke) && walker.secret(at)) return kept(at);
  const done = strike(at, stroke);
  await rest();
  return done;
}

function write(text) {
  const at = deepActive();
  if (isFrame(at)) return into(at);
  if (walker.secret(at)) return kept(at);
  insert(at, text);
  return {};
}

// Pictures: what the worker paints over, and what part of the page can be seen.

function covers(id, selector) {
  const root = walker.element(id) ? rootOf(walker.element(id)) : document;
  const boxes = [...root.querySelectorAll(selector)].map((el) => el.getBoundingClientRect());
  return boxes.map((box) => [box.x, box.y, box.width, box.height]);
}

const view = () => ({ x: scrollX, y: scrollY, width: innerWidth, height: innerHeight });

const tellChange = () => port?.postMessage({ changed: true });
const watcher = new MutationObserver(tellChange);

const DEEDS = {
  call, mouse, key, write, place, holder, covers, view,
  under,
  has: (id) => Boolean(walker.element(id)),
  windows: () => window.length,
  stop: () => window.stop(),
  // Tells from now on that something has changed; what exactly is for a look to say.
  watch() {
    watcher.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    window.addEventListener('scroll', tellChange, { capture: true, passive: true });
  },
  travel: (step) => history.length > 1 && (history.go(step), true),
};

// The line to the worker. It ends with the document, or when the tab is given back.

let port = null;

async function take({ id, deed, given }) {
  const line = port;
  let answer;
  try {
    answer = { id, value: await DEEDS[deed](...given) };
  } catch (error) {
    answer = { id, error: String(error?.message ?? error) };
  }
  if (line === port) line?.postMessage(answer);
}

function reach() {
  if (port) return;
  const line = chrome.runtime.connect({ name: 'page' });
  port = line;
  port.onMessage.addListener(take);
  port.onDisconnect.addListener(() => { if (port === line) port = null; });
  port.postMessage({ hello: { name: window.name, url: document.URL } });
}

// A page that is about to be left says so before the answer to what made it leave.
globalThis.navigation?.addEventListener('navigate', async (event) => {
  if (!port || event.destination.sameDocument || event.downloadRequest !== null) return;
  const { url } = event.destination;
  await turn();
  if (!event.defaultPrevented && !navigation.transition) port?.postMessage({ leaving: url });
});

// A page that is kept for the way back loses its line without a word, and comes back with none.
window.addEventListener('pagehide', () => { port?.disconnect(); port = null; });
window.addEventListener('pageshow', (event) => { if (event.persisted) reach(); });
Object.defineProperty(globalThis, 'reachWorker', { value: reach });
reach();
})();
