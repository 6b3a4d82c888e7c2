// Where things are and whether a person can see them: clips, scroll areas, the viewport.

const SHOWN = { visibilityProperty: true, opacityProperty: true };
const GONE = 0, BOXLESS = 1, UNSEEN = 2, SEEN = 3;

// GONE: neither the element nor anything in it is shown. UNSEEN: visibility:hidden, parts of it may still show.
// BOXLESS: display:contents, only its parts show.
function seenAs(look, rendered) {
  if (rendered && !look.opaque) return GONE;
  if (!look.visible) return UNSEEN;
  return rendered ? SEEN : BOXLESS;
}

const isVisible = el => whyUnseen(el) === '';

// A region {l t r b} in which things are seen, and {rl rt rr rb} to which scrolling can bring them.
const clipOf = (l, t, r, b, rl, rt, rr, rb) => ({ l, t, r, b, rl, rt, rr, rb, gone: false });

function rootPlaces() {
  const root = rootElementOf.call(page);
  const width = innerWidth, height = innerHeight;
  const fixed = clipOf(0, 0, width, height, 0, 0, width, height);
  if (!root) return { flow: fixed, abs: fixed, fixed, away: false, out: false };
  const scroller = scrollingOf.call(page) || root;
  const right = styleOf(root).direction === 'rtl';
  const extent = scrollWidthOf.call(scroller);
  const left = -scrollLeftOf.call(scroller) - (right ? extent - clientWidthOf.call(scroller) : 0);
  const top = -scrollTopOf.call(scroller);
  const flow = clipOf(0, 0, width, height, left, top, left + Math.max(extent, width),
    top + Math.max(scrollHeightOf.call(scroller), height));
  return { flow, abs: flow, fixed, away: false, out: false };
}

const isAway = (box, clip) => box.r <= clip.rl || box.b <= clip.rt || box.l >= clip.rr || box.t >= clip.rb;
const isOff = (box, clip) => box.r <= clip.l || box.b <= clip.t || box.l >= clip.r || box.t >= clip.b;
const isTiny = box => box.r - box.l <= 1 || box.b - box.t <= 1;

const clipFor = (position, places) =>
  position === 'absolute' ? places.abs : position === 'fixed' ? places.fixed : places.flow;

// The places of an element's contents, from those of its flat-tree parent.
function placesIn(el, tag, look, up) {
  const { position, overflow } = look;
  const moved = isTransformed(look, el);
  if (look.inFlow && !moved) return up;
  const own = clipFor(position, up);
  const out = up.out || position === 'absolute' || position === 'fixed';
  const places = { flow: own, abs: up.abs, fixed: up.fixed, away: up.away, out };
  if (tag === 'html' || tag === 'body') return places;
  let box = null;
  if (overflow !== 'visible' && look.display !== 'inline' && look.display !== 'contents') {
    box = boxOf(el);
    places.flow = clipBy(el, box, overflow, own);
  }
  if (position !== 'static' || moved) {
    box = box || boxOf(el);
    if (!isEmpty(box)) places.away = isAway(box, own);
    if (out && isClippedAway(look, el)) places.flow = { ...places.flow, gone: true };
    places.abs = places.flow;
    if (moved) places.fixed = places.flow;
  }
  return places;
}

const isEmpty = box => (box.r - box.l) * (box.b - box.t) < 1;
const isClippedAway = (look, el) => {
  if (look.position !== 'absolute' && look.position !== 'fixed') return false;
  const style = styleOf(el);
  const clip = style.clip;
  if (clip !== 'auto' && /^rect\((\S+), \1, \1, \1\)$|^rect\(0px, 0px, 0px, 0px\)$/.test(clip)) return true;
  const path = style.clipPath;
  return path !== 'none' && /^(inset\((50|100)%\)|circle\(0|polygon\(0px 0px, 0px 0px)/.test(path);
};

function clipBy(el, box, overflow, outer) {
  const left = box.l + clientLeftOf.call(el), top = box.t + clientTopOf.call(el);
  const width = clientWidthOf.call(el), height = clientHeightOf.call(el);
  let rl = left - scrollLeftOf.call(el), rt = top - scrollTopOf.call(el);
  let rr = rl + scrollWidthOf.call(el), rb = rt + scrollHeightOf.call(el);
  const extra = scrollWidthOf.call(el) - width;
  if (extra > 0 && styleOf(el).direction === 'rtl') {
    rl -= extra;
    rr -= extra;
  }
  if (overflow === 'clip') [rl, rt, rr, rb] = [left, top, left + width, top + height];
  const clip = clipOf(Math.max(left, outer.l), Math.max(top, outer.t), Math.min(left + width, outer.r),
    Math.min(top + height, outer.b), rl, rt, rr, rb);
  clip.gone = outer.gone || width <= 1 || height <= 1 || isAway(box, outer);
  return clip;
}

const SEE_NOT = 0, SEE_OFF = 1, SEE_NOW = 2;

function sight(box, clip) {
  if (clip.gone || isEmpty(box) || isAway(box, clip)) return SEE_NOT;
  return isOff(box, clip) ? SEE_OFF : SEE_NOW;
}

// An inline or contents box can be empty while what it holds is not (a link round a floated picture).
function fullBox(el) {
  const own = boxOf(el);
  if (!isEmpty(own)) return own;
  let box = null;
  let looks = 0;
  const stack = [el];
  while (stack.length && looks < 40) {
    for (let child = firstElementOf.call(stack.pop()); child && looks < 40; child = nextElementOf.call(child)) {
      looks += 1;
      const inner = boxOf(child);
      if (isEmpty(inner)) stack.push(child);
      else box = box ? union(box, inner) : inner;
    }
  }
  return box || own;
}

const union = (a, b) =>
  ({ l: Math.min(a.l, b.l), t: Math.min(a.t, b.t), r: Math.max(a.r, b.r), b: Math.max(a.b, b.b) });

function imagesByMap(root) {
  let images = memo.maps.get(root);
  if (!images) {
    images = new Map();
    for (const image of queryAll(root, 'img[usemap]')) images.set(attr(image, 'usemap'), image);
    memo.maps.set(root, images);
  }
  return images;
}

// An image map's areas have no boxes; their shapes are relative to the picture that uses the map.
function areaBox(el) {
  const map = closest.call(el, 'map');
  const image = map && imagesByMap(getRootNode.call(el)).get('#' + attr(map, 'name'));
  if (!image || !checkVisibility.call(image, SHOWN)) return boxOf(el);
  const box = boxOf(image);
  const numbers = (attr(el, 'coords') || '').split(',').slice(0, 1000).map(Number);
  const shape = (attr(el, 'shape') || 'rect').toLowerCase();
  if (shape === 'default' || numbers.length < 3 || numbers.some(Number.isNaN)) return box;
  const [a, b, c] = numbers;
  if (shape.startsWith('circ')) return { l: box.l + a - c, t: box.t + b - c, r: box.l + a + c, b: box.t + b + c };
  const xs = numbers.filter((_, i) => i % 2 === 0), ys = numbers.filter((_, i) => i % 2 === 1);
  const l = box.l + Math.min(...xs), t = box.t + Math.min(...ys);
  return { l, t, r: box.l + Math.max(...xs), b: box.t + Math.max(...ys) };
}

const anyBox = (el, tag) => tag === 'area' ? areaBox(el) : fullBox(el);

// For one element outside of a walk: its flat-tree ancestors' places from the root down.
function placesAround(el) {
  const path = [];
  for (let up = flatParent(el); up; up = flatParent(up)) path.push(up);
  let places = rootPlaces();
  for (const up of path.reverse()) places = placesIn(up, tagOf(up), lookAt(up), places);
  return places;
}

// The visible label of a field that is not shown itself: what people press instead.
function standInFor(el) {
  const tag = tagOf(el);
  if ((tag !== 'input' && tag !== 'select') || has(el, 'inert')) return null;
  return labelsOf(el).slice(0, 10).find(label => whyUnseen(label) === '') || null;
}

function whyUnseen(el) {
  const styles = [];
  for (let up = el; up; up = flatParent(up)) styles.push([up, styleOf(up)]);
  if (styles.some(([, style]) => style.display === 'none')) return 'display: none';
  const [[, own]] = styles;
  if (own.visibility !== 'visible') return 'visibility: ' + own.visibility;
  const clear = isTransparentControl(el) ? styles.slice(1) : styles;
  if (clear.some(([, style]) => style.opacity === '0')) return 'opacity: 0';
  if (!checkVisibility.call(el) && own.display !== 'contents') return 'content-visibility: hidden';
  if (styles.some(([up]) => has(up, 'inert'))) return 'inert';
  return whyOut(el);
}

function whyOut(el) {
  const box = anyBox(el, tagOf(el));
  const look = lookAt(el);
  const clip = clipFor(look.position, placesAround(el));
  if (isEmpty(box)) return 'zero size';
  if (clip.gone || isTiny(box) || isClippedAway(look, el)) return 'clipped';
  return isAway(box, clip) ? 'outside the page' : '';
}
