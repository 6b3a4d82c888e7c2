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
