globalThis.actor = Object.freeze({
  ready, through, intoFrame, fromFrame, enter, focus, setValue, holds, choose, isChecked, scroll, reveal, rest, unwatch, until, readText, pageBox, disarm,
});
