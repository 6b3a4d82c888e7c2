// The plain action protocol: ActionCommand in, ActionResult out, Snapshot pushed. Who speaks only that can work with
// this extension once it has proven itself. More is understood: request ids, time limits, further commands.

import * as commands from './commands.js';
import { Refs } from './refs.js';

const REMEMBERED = 500;
const CHANGED_MS = 250;

const refs = new Refs();
let order = Promise.resolve(); // one command at a time
let last = null; // { tab, id, shown, text }: the snapshot that refs are of
let snapshots = 0;
let watching = null; // { context, tab }
let timer = 0;
let pushed = '';

/** A message that is none of ours: a command, or something that is nobody's. */
export function onSeedMessage(message, context) {
  const asked = commandIn(message);
  if (!asked) return;
  order = order.then(() => take(message, asked, context)).catch(() => {});
  return order;
}

/** The other side speaks nothing else: it is shown the tab that the user picked, and whatever changes there. */
export function beginSeed(context) {
  order = order.then(() => show(context)).catch(() => {});
  return order;
}

export function endSeed() {
  watching = last = null;
  pushed = '';
}

function commandIn({ type, data }) {
  if (type === 'ActionCommand') return { command: data, more: {} };
  if (type === 'action_request') return { command: data?.command, more: { request_id: data?.request_id } };
  return null;
}

async function take(message, { command, more }, context) {
  const result = await carryOut(message, command ?? {}, context);
  context.reply({ ...more, ...result });
  await show(context);
}

async function carryOut(message, command, context) {
  try {
    await checkOnce(message);
    const tab = context.currentTab();
    if (tab === undefined) throw new Error('No tab is picked. Ask the user to pick one in the panel.');
    if (command.snapshot_id && command.snapshot_id !== last?.id) {
      throw new Error('ref_invalid: this was said of an older snapshot. Use the newest.');
    }
    const place = await commands.placeIn(tab);
    const data = await commands.run(command, { place, find: (ref) => find(tab, ref), look: () => look(tab) });
    return { success: true, error: null, data: data ?? {} };
  } catch (fault) {
    return { success: false, error: String(fault?.message ?? fault), data: {} };
  }
}

/** What has an id is done once, also by a worker that comes after this one; what has a time limit, in time. */
async function checkOnce({ id, not_after: limit }) {
  if (limit !== undefined && !(Date.now() <= limit)) throw new Error('expired: this came too late and was not done.');
  if (id === undefined) return;
  const { seedDone = [] } = await chrome.storage.session.get('seedDone');
  if (seedDone.includes(id)) throw new Error('replayed: this was done before and is not done again.');
  await chrome.storage.session.set({ seedDone: [...seedDone, id].slice(-REMEMBERED) });
}

// Snapshots

async function look(tab) {
  const place = await commands.placeIn(tab);
  const walked = await commands.walk(place);
  const tree = await refs.name(tab, walked.elements);
  snapshots += 1;
  const id = `s${snapshots}`;
  last = { tab, id, found: new Map(tree.map((each, index) => [each.id, walked.elements[index]])) };
  return { tree, snapshot_id: id, url: walked.url, title: walked.title };
}

/** The element that a ref of the last snapshot stands for. */
function find(tab, ref) {
  const number = typeof ref === 'string' ? Number(ref.replace(/^@?e/, '')) : ref;
  const found = last?.tab === tab ? last.found.get(number) : undefined;
  if (found) return found;
  throw new Error(`ref_invalid: ${JSON.stringify(ref)} is not in the last snapshot. Use a ref from the newest.`);
}

async function show(context) {
  const tab = context.currentTab();
  if (tab === undefined) return;
  watching = { context, tab };
  let snapshot;
  try {
    snapshot = await look(tab);
  } catch {
    return; // It is on its way somewhere: what comes there is told.
  }
  const text = JSON.stringify([tab, snapshot.url, snapshot.tree]);
  if (text === pushed) return;
  pushed = text;
  context.push('Snapshot', snapshot);
}

commands.onChange((tab) => {
  if (watching?.tab !== tab) return;
  clearTimeout(timer);
  timer = setTimeout(() => { if (watching) beginSeed(watching.context); }, CHANGED_MS);
});
