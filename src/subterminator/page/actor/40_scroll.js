// Scrolling: an element into view, the page or one of its boxes by an amount or to a place.

function canScroll(element) {
  const { scrollHeight, clientHeight, scrollWidth, clientWidth } = plain(element);
  return scrollHeight - clientHeight > 1 || scrollWidth - clientWidth > 1;
}

function isScroller(element) {
  const { overflowX, overflowY } = getComputedStyle(element);
  return canScroll(element) && /auto|scroll|overlay/.test(overflowX + overflowY);
}

// Behind a dialog pages lock their scrolling; script could still move them, a person could not.
function isLocked() {
  const ends = [document.documentElement, document.body];
  const [outer, inner] = ends.map((one) => (one ? getComputedStyle(one).overflowY : ''));
  return outer === 'hidden' || outer === 'clip' || (outer === 'visible' && (inner === 'hidden' || inner === 'clip'));
}

const sizeOf = (element) => plain(element).clientWidth * plain(element).clientHeight;

// The page itself; where that cannot scroll, the box in the middle of the view, or the largest one.
function mainScroller() {
  const page = document.scrollingElement ?? document.documentElement;
  if (canScroll(page) && !isLocked()) return page;
  const middle = elementAt(innerWidth / 2, innerHeight / 2, document.documentElement);
  for (let at = middle; at; at = flatParent(at)) if (at !== page && at !== document.body && isScroller(at)) return at;
  const boxes = [...document.querySelectorAll('*')]
    .filter((one) => canScroll(one) && isScroller(one) && walker.isVisible(one));
  return boxes.reduce((most, one) => (sizeOf(one) > sizeOf(most) ? one : most), boxes[0] ?? page);
}

function scrollerOf(id) {
  if (!id) return mainScroller();
  for (let at = walker.element(id); at; at = flatParent(at)) if (isScroller(at)) return at;
  return mainScroller();
}

const placeOf = (box) => ({
  x: Math.round(box.scrollLeft), y: Math.round(box.scrollTop),
  max_x: Math.max(0, box.scrollWidth - box.clientWidth), max_y: Math.max(0, box.scrollHeight - box.clientHeight),
});

async function scroll(id, move) {
  watch();
  const box = plain(scrollerOf(id));
  const before = placeOf(box);
  const sideways = move.direction === 'left' || move.direction === 'right';
  const step = move.amount ?? Math.round((sideways ? box.clientWidth : box.clientHeight) * 0.8);
  const to = {
    up: [before.x, before.y - step], down: [before.x, before.y + step],
    left: [before.x - step, before.y], right: [before.x + step, before.y],
    top: [before.x, 0], bottom: [before.x, before.max_y], to: move.to,
  }[move.direction];
  box.scrollTo({ left: to[0], top: to[1], behavior: 'instant' });
  await nextFrame();
  const after = placeOf(box);
  return { moved: after.x !== before.x || after.y !== before.y, ...after };
}

async function reveal(id, block = 'center') {
  const element = walker.element(id);
  const surface = element && surfaceOf(element);
  if (!surface) return { problem: element ? 'not_visible' : 'gone', why: element ? walker.whyUnseen(element) : '' };
  watch();
  const before = boxOf(surface);
  plain(surface).scrollIntoView({ block, inline: 'nearest', behavior: 'instant' });
  await nextFrame();
  return { moved: !sameBox(before, boxOf(surface)) };
}
