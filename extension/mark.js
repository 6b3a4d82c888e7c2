// The visible mark on tabs in use: a label in the page with a button that stops everything, and a badge that no page
// can touch. The label is ours and no part of the page: snapshots leave it out because it is this very element.

const BADGE = { text: 'ON', color: '#b3261e' };
const HERE = `chrome-extension://${chrome.runtime.id}`;
const shown = new Set();
const ports = new Map(); // tab -> ports of its labels
const worlds = new Map(); // "tab:session" -> the contexts of our scripts there, by number
let stop = () => {};

export const mark = {
  show(tab) {
    shown.add(tab);
    chrome.action.setBadgeBackgroundColor({ tabId: tab, color: BADGE.color }).catch(ignore);
    chrome.action.setBadgeText({ tabId: tab, text: BADGE.text }).catch(ignore);
    chrome.action.setTitle({ tabId: tab, title: 'SubTerminator is using this tab' }).catch(ignore);
    draw(tab);
  },

  hide(tab) {
    shown.delete(tab);
    chrome.action.setBadgeText({ tabId: tab, text: '' }).catch(ignore);
    chrome.action.setTitle({ tabId: tab, title: 'SubTerminator' }).catch(ignore);
    for (const port of ports.get(tab) ?? []) port.disconnect();
    ports.delete(tab);
  },

  onStop(callback) { stop = callback; },
};

// The tab may be gone, or show what no extension may touch: the badge is there all the same.
const ignore = () => {};

function draw(tab) {
  const target = { tabId: tab, frameIds: [0] };
  chrome.scripting.executeScript({ target, files: ['label.js'], injectImmediately: true }).catch(ignore);
}

chrome.webNavigation.onCommitted.addListener(({ tabId, frameId }) => {
  if (!frameId && shown.has(tabId)) mark.show(tabId);
});
chrome.tabs.onRemoved.addListener((tab) => { shown.delete(tab); ports.delete(tab); });

chrome.runtime.onConnect.addListener((port) => {
  const { tab, id } = port.sender;
  if (port.name !== 'mark' || !tab || id !== chrome.runtime.id) return;
  if (!shown.has(tab.id)) { port.disconnect(); return; }
  ports.set(tab.id, [...(ports.get(tab.id) ?? []), port]);
  port.onMessage.addListener(() => stop());
});

// With the debugger the engine looks from a world of its own, and asks for closed roots by their hosts.

/** Remember where our own scripts live; called with every event of the debugger. */
export function noteWorld(tab, session, method, { context, executionContextId } = {}) {
  const key = `${tab}:${session}`;
  if (method === 'Runtime.executionContextCreated' && context.origin === HERE) {
    worlds.set(key, [...(worlds.get(key) ?? []), context.id]);
  } else if (method === 'Runtime.executionContextDestroyed' && worlds.has(key)) {
    worlds.set(key, worlds.get(key).filter((id) => id !== executionContextId));
  } else if (method === 'Runtime.executionContextsCleared') {
    worlds.delete(key);
  }
}

/** What the debugger says of a node, without the inside of our label. `send(method, params)` asks the same session. */
export async function withoutMark(tab, session, answer, send) {
  const { node } = answer;
  if (!node?.shadowRoots?.some(({ shadowRootType }) => shadowRootType === 'closed')) return answer;
  for (const contextId of worlds.get(`${tab}:${session}`) ?? []) {
    const asked = { expression: 'globalThis.subterminatorMark', contextId };
    const found = await send('Runtime.evaluate', asked).catch(ignore);
    if (!found?.result?.objectId) continue;
    const ours = await send('DOM.describeNode', { objectId: found.result.objectId, depth: 0 }).catch(ignore);
    if (ours?.node.backendNodeId === node.backendNodeId) return { ...answer, node: { ...node, shadowRoots: [] } };
  }
  return answer;
}

/** What `picture()` gives, taken while our label is not to be seen. */
export async function unmarked(tab, send, picture) {
  const contexts = worlds.get(`${tab}:`) ?? [];
  const look = (words) => Promise.all(contexts.map((contextId) => send('Runtime.evaluate', {
    expression: `globalThis.subterminatorMark && (subterminatorMark.style.visibility = '${words}')`, contextId,
  }).catch(ignore)));
  await look('hidden');
  try {
    return await picture();
  } finally {
    look('');
  }
}
