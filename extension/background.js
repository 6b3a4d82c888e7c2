// The worker: wakes, and keeps the line. What it does is in the modules.

import { connect, halt, panelPort } from './line.js';
import { debuggerHand } from './debugger.js';
import { mark } from './mark.js';
import { lost } from './tabs.js';

const ALARM = 'line';

chrome.runtime.onInstalled.addListener(connect);
chrome.runtime.onStartup.addListener(connect);
chrome.alarms.onAlarm.addListener(({ name }) => name === ALARM && connect());
chrome.alarms.create(ALARM, { periodInMinutes: 0.5 });
chrome.runtime.onConnect.addListener(panelPort);
chrome.sidePanel?.setPanelBehavior({ openPanelOnActionClick: true });

debuggerHand.onEnd((tab, reason) => {
  lost(tab, reason);
  // The browser's own bar says "cancel": that means everything.
  if (reason === 'canceled_by_user') halt();
});
mark.onStop(halt);
connect();
