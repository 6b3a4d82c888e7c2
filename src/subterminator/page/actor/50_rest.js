// Has the page come to rest? Counts changes from the moment an action begins; bare timers cannot be seen.

let lastChange = 0;
let observer = null;

function watch() {
  lastChange = 0;
  if (observer) return;
  observer = new MutationObserver(() => { lastChange = performance.now(); });
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
}

function unwatch() {
  observer?.disconnect();
  observer = null;
}

const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });

// One frame, then `quiet` ms without a change (at most `limit`), then the walk, all in one trip.
async function rest({ quiet, limit, frame, walk }) {
  const start = performance.now();
  if (frame) await nextFrame(frame);
  let still = 0;
  while (quiet && performance.now() - start < limit) {
    still = performance.now() - Math.max(lastChange, start);
    if (still >= quiet) break;
    await pause(Math.min(quiet - still, 25));
  }
  const report = { changed: lastChange > 0, busy: Boolean(quiet) && still < quiet, stopped: disarm() };
  if (walk) report.walk = walker.walk(walk);
  return report;
}
