// Where to press an element, and what stands in the way. Scrolls, but changes nothing else in the page.

const FRAMES_TO_REST = 30;
const nextFrame = (ms = 100) => new Promise((done) => {
  // A hidden or throttled document never gets a frame.
  const timer = after(ms, done);
  requestAnimationFrame(() => { timer.abort(); done(); });
});

const rootOf = (node) => Node.prototype.getRootNode.call(node);
const parentElement = Object.getOwnPropertyDescriptor(Node.prototype, 'parentElement').get;
const closest = (node, selector) => Element.prototype.closest.call(node, selector);
const boxOf = (element) => Element.prototype.getBoundingClientRect.call(element);

function flatParent(node) {
  const slot = plain(node).assignedSlot;
  if (slot) return slot;
  const parent = parentElement.call(node);
  if (parent) return parent;
  const root = rootOf(node);
  return root instanceof ShadowRoot ? root.host : null;
}

function isInside(node, ancestor) {
  for (let at = node; at; at = flatParent(at)) if (at === ancestor) return true;
  return false;
}

const labelsOf = (element) => [...(plain(element).labels ?? [])];

// What a person presses to work the element: itself, or the visible label of a hidden checkbox.
function surfaceOf(element) {
  if (walker.isVisible(element)) return element;
  return labelsOf(element).find((label) => walker.isVisible(label)) ?? null;
}

function describe(element) {
  const name = walker.name(element).slice(0, 60);
  const role = walker.role(element) || plain(element).localName;
  if (name) return `${role} ${JSON.stringify(name)}`;
  const id = Element.prototype.getAttribute.call(element, 'id');
  const names = Element.prototype.getAttribute.call(element, 'class');
  const mark = id ? `#${id}` : names ? `.${names.trim().split(/\s+/)[0]}` : '';
  const words = walker.secret(element) ? '' : squeezed(plain(element).innerText ?? '').slice(0, 60);
  return `<${plain(element).localName}${mark.slice(0, 60)}>${words ? ` ${JSON.stringify(words)}` : ''}`;
}

// The deepest element at a point, through shadow roots the walker knows of.
function elementAt(x, y, near) {
  const root = rootOf(near);
  const from = root instanceof ShadowRoot || root === document ? root : document;
  let hit = from.elementFromPoint(x, y) ?? document.elementFromPoint(x, y);
  for (;;) {
    const inner = hit && walker.shadowRoot(hit)?.elementFromPoint(x, y);
    if (!inner || inner === hit) return hit;
    hit = inner;
  }
}

// A press on `hit` reaches `element`: inside it, its label, or the host of a closed root it lives in.
function reaches(hit, element) {
  if (!hit) return false;
  if (isInside(hit, element)) return true;
  if (labelsOf(element).some((label) => isInside(hit, label))) return true;
  const own = closest(element, 'label');
  return Boolean(own && isInside(hit, own) && own.control === element);
}

function visiblePart(rect) {
  const left = Math.max(rect.left, 0), top = Math.max(rect.top, 0);
  const right = Math.min(rect.right, innerWidth), bottom = Math.min(rect.bottom, innerHeight);
  return right - left >= 1 && bottom - top >= 1 ? { left, top, right, bottom } : null;
}

function* pointsOf(surface) {
  const rects = [...Element.prototype.getClientRects.call(surface)].filter((r) => r.width * r.height > 0);
  const parts = rects.map(visiblePart).filter(Boolean);
  for (const [fx, fy] of [[0.5, 0.5], [0.2, 0.5], [0.8, 0.5], [0.5, 0.2], [0.5, 0.8]]) {
    for (const part of parts.slice(0, 4)) {
      yield [part.left + (part.right - part.left) * fx, part.top + (part.bottom - part.top) * fy];
    }
  }
}

function isClipped(surface) {
  const rect = boxOf(surface);
  if (rect.left < 0 || rect.top < 0 || rect.right > innerWidth || rect.bottom > innerHeight) return true;
  for (let at = flatParent(surface); at; at = flatParent(at)) {
    const style = getComputedStyle(at);
    if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
    const box = boxOf(at);
    if (rect.left < box.left - 1 || rect.right > box.right + 1
        || rect.top < box.top - 1 || rect.bottom > box.bottom + 1) return true;
  }
  return false;
}

const isMoving = (surface) => document.getAnimations()
  .some(({ playState, effect }) => playState === 'running' && effect?.target && isInside(surface, effect.target));

const sameBox = (a, b) => Math.abs(a.x - b.x) < 1 && Math.abs(a.y - b.y) < 1
  && Math.abs(a.width - b.width) < 1 && Math.abs(a.height - b.height) < 1;

async function restOf(surface) {
  let before = boxOf(surface);
  // Where something swings to and fro, two frames can look alike at the turn; three cannot.
  let wanted = isMoving(surface) ? 2 : 1;
  for (let frame = 0; frame < FRAMES_TO_REST; frame += 1) {
    await nextFrame();
    const now = boxOf(surface);
    wanted = sameBox(before, now) ? wanted - 1 : isMoving(surface) ? 2 : 1;
    if (!wanted) return true;
    before = now;
  }
  return false;
}

function findPoint(element, surface) {
  let cover = null;
  for (const [x, y] of pointsOf(surface)) {
    const hit = elementAt(x, y, surface);
    if (reaches(hit, element)) return { x, y };
    cover ??= hit;
  }
  if (!cover) return { problem: 'not_visible', why: 'outside the visible part of the page' };
  return { problem: 'obscured', by: describe(cover) };
}

// Is the element what the caller thinks it is, and can it be used now? Answers a problem, or null.
function checkState(element, expected, allowDisabled) {
  if (!element || !plain(element).isConnected) return { problem: 'gone' };
  const now = walker.state(element);
  if (expected && (now.role !== expected.role || now.name !== expected.name)) {
    return { problem: 'changed', role: now.role, name: now.name };
  }
  if (!allowDisabled && now.flags & walker.flags.DISABLED) return { problem: 'disabled' };
  if (!surfaceOf(element)) return { problem: 'not_visible', why: walker.whyUnseen(element) };
  return null;
}

// Bring the surface into view and to rest. Answers whether time passed, or null if it does not rest.
async function steady(surface, { box: snapshotBox, still }) {
  const clipped = !still && isClipped(surface);
  // A scroll can start animations and lazy loading; what was at rest before may move now.
  if (clipped) plain(surface).scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  else if (sameBox(boxOf(surface), snapshotBox) && !isMoving(surface)) return false;
  return (await restOf(surface)) ? true : null;
}

// Sticky bars cover what was scrolled to the middle of nothing; another place in the viewport may be free.
async function otherPlaces(element, surface, point) {
  for (const block of ['end', 'start', 'center']) {
    if (point.problem !== 'obscured') return point;
    plain(surface).scrollIntoView({ block, inline: 'nearest', behavior: 'instant' });
    await restOf(surface);
    point = findPoint(element, surface);
  }
  return point;
}

// The whole check before a press. The guard is armed with the answer: see guard. `still` does not scroll.
async function ready(id, options) {
  const element = walker.element(id);
  const problem = checkState(element, options.expected, options.allow_disabled);
  if (problem) return problem;
  watch();
  const surface = surfaceOf(element);
  let waited = await steady(surface, options);
  if (waited === null) return { problem: 'moving' };
  let point = findPoint(element, surface);
  if (point.problem === 'obscured' && !options.still) {
    point = await otherPlaces(element, surface, point);
    waited = true;
  }
  if (point.problem) return point;
  // While we waited the page had its turn: what was true before is checked again.
  const changed = waited && checkState(element, options.expected, options.allow_disabled);
  if (changed) return changed;
  if (options.guard) guard.aim = element;
  return point;
}

// A point of a frame, in this document: where it is, and whether something lies over the frame there.
async function through(ownerId, x, y) {
  const owner = walker.element(ownerId);
  if (!owner) return { problem: 'gone' };
  let at = pointInFrame(owner, x, y);
  for (let frame = 0; frame < 5 && !isOnScreen(at); frame += 1) {
    if (frame === 1) scrollBy({ left: at.x - innerWidth / 2, top: at.y - innerHeight / 2, behavior: 'instant' });
    await nextFrame();
    at = pointInFrame(owner, x, y);
  }
  const hit = elementAt(at.x, at.y, owner);
  if (hit !== owner) return { problem: 'obscured', by: hit ? describe(hit) : 'the edge of the frame' };
  return at;
}

const isOnScreen = ({ x, y }) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;

// Where a frame's own coordinates begin in this document, and how large its pixels are here.
function frameOrigin(owner) {
  const box = boxOf(owner);
  const style = getComputedStyle(owner);
  const sx = owner.offsetWidth ? box.width / owner.offsetWidth : 1;
  const sy = owner.offsetHeight ? box.height / owner.offsetHeight : 1;
  const left = box.left + (owner.clientLeft + parseFloat(style.paddingLeft)) * sx;
  return { left, top: box.top + (owner.clientTop + parseFloat(style.paddingTop)) * sy, sx, sy };
}

function pointInFrame(owner, x, y) {
  const { left, top, sx, sy } = frameOrigin(owner);
  return { x: left + x * sx, y: top + y * sy };
}

const fromFrame = (ownerId, x, y) => pointInFrame(walker.element(ownerId), x, y);

function intoFrame(ownerId, x, y) {
  const { left, top, sx, sy } = frameOrigin(walker.element(ownerId));
  return { x: (x - left) / sx, y: (y - top) / sy };
}
