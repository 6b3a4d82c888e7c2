// The tabs that may be used: those the user picked, those we opened, and what these open.
// No other tab is ever listed to the server or touched.

import { chooseHand, hands } from './hands.js';
import { mark } from './mark.js';

const picked = new Set();
const own = new Set(); // opened by us, or by a tab of these
const attached = new Map(); // tab -> hand
let wished = '';
let tell = () => {}; // (type, data) to the server
let changed = () => {}; // something to show in the panel

const restored = restore();

export function onTabs(send, show) {
  tell = send;
  changed = show;
}

async function restore() {
  const kept = await chrome.storage.session.get(['picked', 'own']);
  for (const tab of kept.picked ?? []) picked.add(tab);
  for (const tab of kept.own ?? []) own.add(tab);
  wished = (await chrome.storage.local.get('hand')).hand ?? '';
}

function keep() {
  return chrome.storage.session.set({ picked: [...picked], own: [...own] });
}

export const ready = () => restored;
export const hand = () => chooseHand(wished);
export const isOurs = (tab) => picked.has(tab) || own.has(tab);
export const attachedTabs = () => [...attached.keys()];
export const openTabs = () => [...new Set([...picked, ...own])];

export async function wishHand(name) {
  await restored; // What was wished before must not come after it.
  wished = hands[name] ? name : '';
  await chrome.storage.local.set({ hand: wished });
  await detachAll();
}

// What the user does

export async function pick(tab) {
  picked.add(tab);
  await keep();
  tell('TabsChanged', {});
  changed();
}

export async function unpick(tab) {
  picked.delete(tab);
  own.delete(tab);
  await keep();
  await detach(tab, 'unpicked');
  await release(tab);
  tell('TabsChanged', {});
  changed();
}

/** For the panel alone: all tabs, so that one can be picked. */
export async function listAll() {
  const all = await chrome.tabs.query({});
  return all.map((tab) => ({
    tab: tab.id, window: tab.windowId, title: tab.title ?? '', url: tab.url ?? '', active: tab.active,
    picked: picked.has(tab.id), own: own.has(tab.id), attached: attached.has(tab.id),
  }));
}

// What the engine asks for

export async function listOurs() {
  const found = await Promise.all(openTabs().map((tab) => chrome.tabs.get(tab).catch(() => null)));
  return found.filter(Boolean).map(describe);
}

const shown = (url) => hand().showsAs?.(url) ?? url;

function describe(tab) {
  return { tab: tab.id, url: shown(tab.pendingUrl || tab.url || ''), title: tab.title ?? '', own: own.has(tab.id) };
}

export async function open(url) {
  const made = await chrome.tabs.create({ url: url === 'about:blank' ? hand().blank ?? url : url, active: true });
  own.add(made.id);
  await keep();
  const there = await attach(made.id);
  changed();
  return { ...there, tab: made.id };
}

export async function close(tab) {
  if (!own.has(tab)) return unpick(tab); // A tab of the user's stays open; we only let it go.
  await chrome.tabs.remove(tab);
}

export async function attach(tab) {
  refuseStranger(tab);
  const using = attached.get(tab) ?? hand();
  const there = await using.attach(tab);
  if (!attached.has(tab)) {
    attached.set(tab, using);
    mark.show(tab);
    changed();
  }
  return { ...describe(await chrome.tabs.get(tab)), ...there };
}

export async function detach(tab, reason = 'detached') {
  const using = attached.get(tab);
  if (!using) return;
  attached.delete(tab);
  mark.hide(tab);
  tell('TabDetached', { tab, reason });
  await using.detach(tab).catch(() => {}); // It is gone already, and that is what was wanted.
  changed();
}

export async function detachAll(reason = 'detached') {
  await Promise.all([...attached.keys()].map((tab) => detach(tab, reason)));
}

/** The plain action protocol works by the scripts in a page, whatever hand the engine has. */
async function release(tab) {
  await hands.content.detach(tab);
  mark.hide(tab);
}

/** Nothing is ours any more but what the user picks anew. */
export async function letGo() {
  await detachAll('stopped');
  await Promise.all(openTabs().map(release));
  picked.clear();
  own.clear();
  await keep();
  changed();
}

export function send(tab, session, method, params) {
  refuseStranger(tab);
  const using = attached.get(tab);
  if (!using) throw { code: -32000, message: 'This tab is not attached.' };
  return using.send(tab, session, method, params);
}

function refuseStranger(tab) {
  if (!isOurs(tab)) throw { code: -32000, message: 'The user has not picked this tab.' };
}

// What happens

for (const each of Object.values(hands)) {
  each.onEvent((tab, session, method, params) => {
    if (attached.get(tab) === each) tell('CdpEvent', { tab, session, method, params });
  });
}

/** The browser itself has ended a hand's hold on a tab. */
export function lost(tab, reason) {
  if (!attached.delete(tab)) return;
  mark.hide(tab);
  tell('TabDetached', { tab, reason });
  changed();
}

/** A tab that a tab of ours has opened is ours as well. */
async function adopt(tab, opener) {
  await restored;
  if (!isOurs(opener) || !attached.has(opener) || own.has(tab)) return;
  own.add(tab);
  keep(); // Not waited for: what a page opens runs already, and is to be seen as early as can be.
  try {
    const there = await attach(tab);
    tell('TabAttached', { ...there, tab, opener });
  } catch {
    // It was closed at once, or shows what no extension may touch: then it is listed nowhere.
    own.delete(tab);
  }
}

chrome.tabs.onCreated.addListener(() => changed());
// What a page opens, and not what its user opens beside it: that has the same opener.
chrome.webNavigation.onCreatedNavigationTarget.addListener(({ tabId, sourceTabId }) => adopt(tabId, sourceTabId));
hands.content.onOpen(adopt);

chrome.tabs.onRemoved.addListener(async (tab) => {
  await restored;
  const ours = isOurs(tab);
  picked.delete(tab);
  own.delete(tab);
  lost(tab, 'closed');
  if (ours) await keep();
  changed();
});

chrome.tabs.onUpdated.addListener((tab, change) => {
  if (change.title !== undefined || change.url !== undefined) changed();
});
