// Timers that also run where the usual ones do not: in a frame whose sandbox forbids scripts.

function after(ms, act) {
  const stop = new AbortController();
  scheduler.postTask(act, { delay: ms, signal: stop.signal }).catch(() => {});
  return stop;
}

function every(ms, act) {
  const stop = new AbortController();
  const turn = () => {
    if (stop.signal.aborted) return;
    act();
    after(ms, turn);
  };
  after(ms, turn);
  return stop;
}
