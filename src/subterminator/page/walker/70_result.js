// After the pass: what covers what, hints for what has no name, and the nodes as plain arrays.

const MAX_HITS = 300, MAX_HIT_MS = 200;
const OVERLAY_SHARE = 0.25;

const isIn = (frame, record) => frame.start <= record.start && record.start <= frame.end;

function markLayers(walk) {
  if (walk.modal) {
    for (const record of walk.records) if (!isIn(walk.modal, record)) record.flags |= COVERED;
  }
  const candidates = walk.outOfFlow.filter(over => over.fixed && over.share >= OVERLAY_SHARE && Number(over.z) > 0);
  for (const over of candidates.slice(0, 8)) markOverlay(walk, over);
}

// A fixed box is an overlay only if something of the page lies under it.
function markOverlay(walk, over) {
  const under = walk.records.some(record => record.box && record.flags & INTERACTIVE && !(record.flags & OFFSCREEN) &&
    !isIn(over.frame, record) && !isOff(record.box, over.box));
  if (!under) return;
  for (const record of walk.records) if (isIn(over.frame, record)) record.flags |= OVERLAY;
}

function markCovered(walk) {
  const overs = walk.outOfFlow;
  if (!overs.length) return;
  const end = Math.min(performance.now() + MAX_HIT_MS, walk.limits.end);
  let hits = 0;
  for (const record of walk.records) {
    if (!record.keep || (record.flags & (INTERACTIVE | OFFSCREEN | COVERED)) !== INTERACTIVE) continue;
    const [x, y] = middle(record.box);
    const suspect = overs.some(({ frame, box }) => box.l <= x && x <= box.r && box.t <= y && y <= box.b &&
      !isIn(frame, record) && !(record.start <= frame.start && frame.start <= record.end));
    if (!suspect) continue;
    hits += 1;
    if (hits > MAX_HITS || performance.now() > end) return;
    if (isCovered(record)) record.flags |= COVERED;
  }
}

function middle(box) {
  const l = Math.max(box.l, 0), t = Math.max(box.t, 0);
  const r = Math.min(box.r, innerWidth), b = Math.min(box.b, innerHeight);
  return [(l + r) / 2, (t + b) / 2, (r - l) / 4, (b - t) / 4];
}

function isCovered(record) {
  const [x, y, dx, dy] = middle(record.box);
  const points = [[x, y], [x - dx, y - dy], [x + dx, y - dy], [x - dx, y + dy], [x + dx, y + dy]];
  return !points.some(([px, py]) => isHit(record.el, px, py));
}

function deepestAt(x, y) {
  let hit = atPoint.document.call(page, x, y);
  while (hit) {
    const root = rootOf(hit);
    const inner = root && atPoint.fragment.call(root, x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  return hit;
}

// Hit if the point is in the element, in a label of it, or in something that holds it (nothing is on top then).
function isHit(el, x, y) {
  const hit = deepestAt(x, y);
  if (!hit) return true;
  for (let up = hit; up; up = flatParent(up)) {
    if (up === el || (tagOf(up) === 'label' && up.control === el)) return true;
  }
  for (let up = el; up; up = flatParent(up)) if (up === hit) return true;
  return tagOf(el) === 'area' && tagOf(hit) === 'img';
}

function nodesOf(walk) {
  const nodes = [];
  for (const record of walk.records) {
    const depth = record.up ? record.up.inner : 0;
    record.inner = record.keep ? depth + 1 : depth;
    if (record.keep) nodes.push(nodeOf(record, depth));
  }
  return nodes;
}

function nodeOf(record, depth) {
  const { role, name, tag, box } = record;
  if (record.el === null) return record.flags === 0 ? [depth, role, name] : [depth, role, name, 0, record.flags];
  const blank = isBlank(name);
  if (blank && record.flags & INTERACTIVE) addHint(record);
  const node = [depth, role, blank ? '' : name, idOf(record.el), record.flags, tag];
  if (box) {
    const x = Math.round(box.l), y = Math.round(box.t);
    node.push(x, y, Math.round(box.r) - x, Math.round(box.b) - y);
  } else if (record.extra) {
    node.push(0, 0, 0, 0);
  }
  if (record.extra) node.push(record.extra);
  return node;
}

// Glyphs of icon fonts (private use) say nothing to a reader.
const BLANK = /^[\s\p{Co}\u200b-\u200f\u2060\ufeff]*$/u;
const isBlank = text => { const code = text.charCodeAt(0); return !(code > 32 && code < 0x2000) && BLANK.test(text); };

function toJson(value) {
  const text = JSON.stringify(value);
  if (!text.includes('\\ud')) return text;
  return JSON.stringify(value, (_, part) => typeof part === 'string' ? part.toWellFormed() : part);
}

function walkPage(options = {}) {
  const root = options.root ? elementOf(options.root) : rootElementOf.call(page);
  const walk = new Walk(options);
  if (root && connectedOf.call(root)) walk.run(root);
  markLayers(walk);
  markCovered(walk);
  const scroller = scrollingOf.call(page) || rootElementOf.call(page);
  const size = of => scroller ? Math.round(of.call(scroller)) : 0;
  const focused = walk.focus ? idOf(walk.focus) : 0;
  const nodes = nodesOf(walk);
  const result = toJson({
    url: addressOf.call(page), title: cut(squash(titleOf.call(page).slice(0, MAX_DATA)), MAX_NAME), origin: self.origin,
    vw: innerWidth, vh: innerHeight, sx: Math.round(scrollX), sy: Math.round(scrollY),
    dw: size(scrollWidthOf), dh: size(scrollHeightOf), focus: focused, nodes, visited: walk.visited,
    hidden: walk.hidden, partial: walk.partial, hosts: walk.hosts,
  });
  freshMemo();
  return result;
}
