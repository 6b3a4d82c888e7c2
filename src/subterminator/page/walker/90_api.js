// All that the engine, the actor and the extension may use.

const asker = answer => (...given) => {
  freshMemo();
  return answer(...given);
};

// Answers whether a walk will now show something it did not show before.
function clickable(el) {
  if (!(el instanceof Element)) return false;
  clickables.add(el);
  freshMemo();
  const tag = tagOf(el);
  return !isStrong(el, tag, roleOf(el, tag), true);
}

globalThis.walker = Object.freeze({
  walk: walkPage,
  describe: describeElement,
  state: stateOf,
  secret: asker(secretOf),
  hiddenTexts: asker(hiddenTexts),
  secretParts: asker(secretParts),
  roots: allRoots,
  handlers,
  owner: ownerOf,
  flags: Object.freeze({ DISABLED, CHECKED, SELECTED }),
  locate,
  adopt(host, root) { closedRoots.set(host, root); askedHosts.add(host); },
  asked(hosts) { for (const id of hosts) { const el = elementOf(id); if (el) askedHosts.add(el); } },
  clickable,
  shadowRoot: rootOf,
  element: elementOf,
  idOf,
  role: asker(el => roleOf(el)),
  name: asker(el => nameOf(el, roleOf(el)).toWellFormed()),
  isVisible: asker(isVisible),
  whyUnseen: asker(whyUnseen),
});
