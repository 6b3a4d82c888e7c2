// Has the page come to rest? Counts changes from the moment an action begins; bare timers cannot be seen.

let lastChange = 0;
let grown = false;
let observer = null;

const isElement = (node) => node.nodeType === Node.ELEMENT_NODE;

function note(records) {
  lastChange = performance.now();
  grown ||= records.some(({ addedNodes }) => [...addedNodes].some(isElement));
}

function watch() {
  lastChange = 0;
  grown = false;
  if (observer) return;
  observer = new MutationObserver(note);
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
}

const pause = (ms) => new Promise((done) => { after(ms, done); });

// One frame, then `quiet` ms without a change (at most `limit`), then the walk, all in one trip.
async function rest({ quiet, limit, frame, walk }) {
  const start = performance.now();
  if (frame) await nextFrame(frame);
  // A frame can come at once; what the press put off to the next turn comes before this.
  if (frame) await pause(1);
  let still = 0;
  while (quiet && performance.now() - start < limit) {
    still = performance.now() - Math.max(lastChange, start);
    if (still >= quiet) break;
    await pause(Math.min(quiet - still, 25));
  }
  // Without an observer (a new document) anything may have been added.
  const report = { grown: grown || !observer, busy: Boolean(quiet) && still < quiet, slipped: slipped(), saves: saves() };
  report.stopped = disarm();
  if (walk) report.walk = walker.walk(walk);
  return report;
}
