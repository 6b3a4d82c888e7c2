globalThis.actor = Object.freeze({
  ready, through, intoFrame, fromFrame, disarm, enter, focus, focused, keepSecrets, setValue, holds, fileField,
  canChoose, choose, options, shownLists, scroll, reveal, rest, until, isStill, readText, pageBox, veils, veilPlaces,
  redraw, personalPlaces, source, inspect, inside, holdsSecret, storage, restore, annotate,
});
