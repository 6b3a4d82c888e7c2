// Carries out what the engine asks for, each message at most once.
// A message is refused that was seen before, is out of order, of another connection, or too old.

import * as tabs from './tabs.js';

const REMEMBERED = 2000;
// What changes something outside: its id is on disk before it is done, so that no worker that was
// killed in the middle of it can be made to do it again.
const ACTS = /^(Input\.|Page\.(navigate|reload|handleJavaScriptDialog)|DOM\.setFileInputFiles)/;

const done = new Set(); // ids
let restored;
let written = Promise.resolve();
let waiting = 0;

export class Refusal extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

function restore() {
  restored ??= chrome.storage.session.get('done').then((kept) => {
    for (const id of kept.done ?? []) done.add(id);
  });
  return restored;
}

export const ready = () => Promise.all([restore(), tabs.ready()]);

/** The order of one connection; throws Refusal. Must be called as messages come, without waiting. */
export class Order {
  constructor(epoch) {
    this.epoch = epoch;
    this.last = 0;
  }

  check(message) {
    const { id, seq, epoch } = message;
    if (epoch !== this.epoch) throw new Refusal(-32010, 'This belongs to another connection.');
    if (!Number.isSafeInteger(seq) || seq <= this.last) throw new Refusal(-32011, 'This is out of order.');
    if (typeof id !== 'string' || !id || done.has(id)) throw new Refusal(-32012, 'This was done before.');
    checkTime(message);
    this.last = seq;
    done.add(id);
    if (done.size > REMEMBERED) done.delete(done.values().next().value);
  }
}

function checkTime({ not_after: limit }) {
  if (!Number.isFinite(limit) || Date.now() > limit) throw new Refusal(-32013, 'This came too late.');
}

/** The answer to one checked message. */
export async function carryOut(message) {
  const { type, data = {} } = message;
  const acts = type !== 'Cdp' ? type === 'OpenTab' || type === 'CloseTab' : ACTS.test(data.method);
  if (acts) {
    waiting += 1;
    written = written.then(() => chrome.storage.session.set({ done: [...done] }));
  }
  if (waiting) {
    // Also what acts on nothing keeps its place behind what does.
    await written;
    if (acts) waiting -= 1;
    checkTime(message);
  }
  switch (type) {
    case 'Cdp':
      return (await tabs.send(data.tab, data.session ?? '', data.method, data.params ?? {})) ?? {};
    case 'Tabs':
      return { tabs: await tabs.listOurs(), hand: tabs.hand().name, capabilities: tabs.hand().capabilities };
    case 'Attach':
      return tabs.attach(data.tab);
    case 'Detach':
      await tabs.detach(data.tab);
      return {};
    case 'OpenTab':
      return tabs.open(data.url);
    case 'CloseTab':
      await tabs.close(data.tab);
      return {};
    default:
      throw new Refusal(-32601, `There is no ${type}.`);
  }
}
