// Between the hit test and the press a page can move things. These listeners come before any of the page's own and
// stop a trusted press that is not aimed at the element it was meant for.

const guard = { aim: null, stopped: '' };
const PRESSES = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu'];

function isAimed(event) {
  const path = event.composedPath();
  if (path.includes(guard.aim) || reaches(path[0], guard.aim)) return true;
  // Seen from here, a press inside a closed root is aimed at its host.
  for (let root = rootOf(guard.aim); root instanceof ShadowRoot; root = rootOf(root.host)) {
    if (root.host === path[0]) return true;
  }
  return false;
}

function stopStray(event) {
  if (!guard.aim || !event.isTrusted || isAimed(event)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const [at] = event.composedPath();
  guard.stopped ||= at instanceof Element ? describe(at) : 'something else';
}

for (const kind of PRESSES) window.addEventListener(kind, stopStray, { capture: true, passive: false });

function disarm() {
  const { stopped } = guard;
  guard.aim = null;
  guard.stopped = '';
  return stopped;
}
