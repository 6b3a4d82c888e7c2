// Scrolling: an element into view, the page or one of its boxes by an amount or to a place.

const canScroll = (element) => element.scrollHeight - element.clientHeight > 1 || element.scrollWidth - element.clientWidth > 1;

function isScroller(element) {
  const { overflowX, overflowY } = getComputedStyle(element);
  return canScroll(element) && /auto|scroll|overlay/.test(overflowX + overflowY);
}

// The page itself, or, where an application keeps its page in a box, the largest box that scrolls.
function mainScroller() {
  const page = document.scrollingElement ?? document.documentElement;
  if (canScroll(page)) return page;
  const middle = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
  for (let at = middle; at; at = flatParent(at)) if (isScroller(at)) return at;
  return page;
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
  const box = scrollerOf(id);
  const before = placeOf(box);
  const page = box.clientHeight * 0.8;
  const step = move.amount ?? Math.round(page);
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

async function reveal(id) {
  const element = walker.element(id);
  const surface = element && surfaceOf(element);
  if (!surface) return { problem: element ? 'not_visible' : 'gone', why: element ? walker.describe(id).why : '' };
  watch();
  surface.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
  await nextFrame();
  return { moved: true };
}
