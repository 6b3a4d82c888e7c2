// The label in a tab in use. It lives in a closed root, and goes when the worker hangs up.

(() => {
'use strict';
if (globalThis.subterminatorMark?.isConnected) return;
const MOST_TIMES = 20;

// A name of its own: a page that looks for its first div must not find us.
const host = document.createElement('subterminator-mark');
const root = host.attachShadow({ mode: 'closed' });
const sheet = new CSSStyleSheet();
sheet.replaceSync(`
  :host { all: initial; position: fixed; left: 8px; bottom: 8px; z-index: 2147483647; pointer-events: none; }
  div { display: flex; gap: 8px; align-items: center; padding: 4px 4px 4px 10px; border-radius: 16px;
        font: 600 12px/1.4 system-ui, sans-serif; color: #fff; background: #1f1f1f; border: 1px solid #fff; }
  button { pointer-events: auto; font: inherit; padding: 2px 10px; border: 0; border-radius: 12px; cursor: pointer;
           color: #fff; background: #b3261e; }
  button:focus-visible { outline: 2px solid #fff; outline-offset: 1px; }
`);
root.adoptedStyleSheets = [sheet];

const label = document.createElement('div');
label.setAttribute('role', 'status');
const words = document.createElement('span');
words.textContent = 'SubTerminator is using this tab';
const button = document.createElement('button');
button.type = 'button';
button.textContent = 'Stop';
label.append(words, button);
root.append(label);

const port = chrome.runtime.connect({ name: 'mark' });
// Only a person stops it: what a page's script presses does nothing.
button.addEventListener('click', (event) => { if (event.isTrusted) port.postMessage({ stop: true }); });

let times = 0;
const put = () => {
  if (host.isConnected || !document.documentElement || times >= MOST_TIMES) return;
  times += 1;
  document.documentElement.append(host);
};
// A page may take it away. It is put back, but no page is made to fight over it for ever.
const watch = new MutationObserver(put);
const leave = () => { watch.disconnect(); host.remove(); };
port.onDisconnect.addListener(leave);
// A page that is kept for the way back gets a new one then.
window.addEventListener('pagehide', () => { port.disconnect(); leave(); }, { once: true });
globalThis.subterminatorMark = host;
if (document.documentElement) {
  put();
  watch.observe(document.documentElement, { childList: true });
} else {
  document.addEventListener('DOMContentLoaded', put, { once: true });
}
})();
