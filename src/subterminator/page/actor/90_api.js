globalThis.actor = Object.freeze({
  ready, through, intoFrame, fromFrame, enter, focus, focused, keepSecrets, setValue, holds, canChoose, choose, options, shownLists, fileField, scroll, reveal, rest, until, isStill, readText, pageBox, disarm,
});
