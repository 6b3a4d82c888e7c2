// Numbers for elements: from 1 in each tab, in the order of the first sight, never given twice. An element that
// becomes another one, by its role or its words, gets a new number.

export class Refs {
  constructor() {
    this.tabs = new Map(); // tab -> { last, known }
    // A worker that comes after this one goes on counting where this one ended.
    this.restored = chrome.storage.session.get('refs').then(({ refs = {} }) => {
      for (const [tab, last] of Object.entries(refs)) this.tabs.set(Number(tab), { last, known: new Map() });
    });
  }

  /** The elements as the plain protocol shows them. */
  async name(tab, elements) {
    await this.restored;
    if (!this.tabs.has(tab)) this.tabs.set(tab, { last: 0, known: new Map() });
    const counted = this.tabs.get(tab);
    const before = counted.last;
    const tree = elements.map((each) => ({ id: this.number(counted, each), ...shown(each) }));
    if (counted.last > before) await this.keep();
    return tree;
  }

  number(counted, { document, node, role, name }) {
    const key = JSON.stringify([document, node, role, name]);
    if (!counted.known.has(key)) counted.known.set(key, counted.last += 1);
    return counted.known.get(key);
  }

  keep() {
    const refs = Object.fromEntries([...this.tabs].map(([tab, { last }]) => [tab, last]));
    return chrome.storage.session.set({ refs });
  }
}

function shown({ role, name, tag, bounds }) {
  return { role, name, tag: tag.toUpperCase(), bounds };
}
