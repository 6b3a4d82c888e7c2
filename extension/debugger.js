// The hand over chrome.debugger: the protocol itself, frames of other processes as flat sessions.

import { noteWorld, unmarked, withoutMark } from './mark.js';

const VERSION = '1.3';
// Frames of other processes are sessions of their own from this one on.
const OLDEST = 125;
let hear = () => {};
let ended = () => {};

export const debuggerHand = {
  name: 'debugger',
  capabilities: { trusted: true, flat: true, downloads: false, screenshots: 'any' },

  async attach(tabId) {
    if (chromeVersion() < OLDEST) {
      throw { code: -32000, message: `This needs Chrome ${OLDEST} or newer; choose content scripts in the panel instead.` };
    }
    try {
      await chrome.debugger.attach({ tabId }, VERSION);
    } catch (fault) {
      // Ours from before this worker was started anew; somebody else's is somebody else's.
      if (!/already attached/i.test(fault.message) || !(await isOurs(tabId))) throw told(fault);
    }
    const target = (await chrome.debugger.getTargets()).find((each) => each.tabId === tabId);
    if (!target) throw { code: -32000, message: 'The tab is gone.' };
    return { targetId: target.id, url: target.url, title: target.title };
  },

  async detach(tabId) {
    await chrome.debugger.detach({ tabId });
  },

  async send(tabId, sessionId, method, params) {
    try {
      const ask = (...asked) => chrome.debugger.sendCommand(sessionId ? { tabId, sessionId } : { tabId }, ...asked);
      if (method === 'Page.captureScreenshot') return await unmarked(tabId, ask, () => ask(method, params));
      const answer = await ask(method, params);
      return method === 'DOM.describeNode' ? await withoutMark(tabId, sessionId, answer, ask) : answer;
    } catch (fault) {
      throw told(fault);
    }
  },

  onEvent(callback) {
    hear = callback;
  },

  /** The browser or the user has ended it: callback(tabId, reason). */
  onEnd(callback) {
    ended = callback;
  },
};

function chromeVersion() {
  return +(/Chrome\/(\d+)/.exec(navigator.userAgent)?.[1] ?? 0);
}

async function isOurs(tabId) {
  try {
    await chrome.debugger.sendCommand({ tabId }, 'Runtime.runIfWaitingForDebugger', {});
    return true;
  } catch {
    return false;
  }
}

/** Chrome puts the protocol's own error as JSON into the message. */
function told(fault) {
  try {
    const { code, message } = JSON.parse(fault.message);
    return { code: code ?? -32000, message: message ?? String(fault.message) };
  } catch {
    return { code: -32000, message: String(fault.message ?? fault) };
  }
}

if (chrome.debugger) {
  chrome.debugger.onEvent.addListener(({ tabId, sessionId }, method, params) => {
    if (tabId === undefined) return;
    noteWorld(tabId, sessionId ?? '', method, params);
    hear(tabId, sessionId ?? '', method, params ?? {});
  });
  chrome.debugger.onDetach.addListener(({ tabId }, reason) => {
    if (tabId !== undefined) ended(tabId, reason);
  });
}
