// All that the engine, the actor and the extension may use.

const asker = answer => (...given) => {
  freshMemo();
  return answer(...given);
};

globalThis.walker = Object.freeze({
  walk: walkPage,
  describe: describeElement,
  locate,
  adopt(host, root) { closedRoots.set(host, root); askedHosts.add(host); },
  asked(hosts) { for (const id of hosts) { const el = elementOf(id); if (el) askedHosts.add(el); } },
  clickable(el) { clickables.add(el); },
  shadowRoot: rootOf,
  element: elementOf,
  idOf,
  role: asker(el => roleOf(el)),
  name: asker(el => nameOf(el, roleOf(el))),
  isVisible: asker(isVisible),
});
