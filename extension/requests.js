// What the pages in the content hand ask of the network, told as the protocol tells it. Only watched, never held up.

import { idOf, idleSoon, of } from './documents.js';

const KINDS = {
  main_frame: 'Document', sub_frame: 'Document', xmlhttprequest: 'XHR', script: 'Script', stylesheet: 'Stylesheet',
  image: 'Image', font: 'Font', media: 'Media', ping: 'Ping', websocket: 'WebSocket', csp_report: 'CSPViolationReport',
};
const kindOf = ({ type }) => KINDS[type] ?? 'Other';
const PAGES = { urls: ['http://*/*', 'https://*/*'] };

function on(event, act, extra) {
  chrome.webRequest?.[event].addListener((details) => {
    const mine = of(details.tabId);
    if (mine) act(mine, details);
  }, PAGES, ...(extra ? [extra] : []));
}

on('onBeforeRequest', (mine, details) => {
  mine.open.add(details.requestId);
  clearTimeout(mine.idle);
  mine.tell('Network.requestWillBeSent', {
    requestId: details.requestId, type: kindOf(details), frameId: idOf(mine.tab, details.frameId),
    request: { url: details.url, method: details.method, headers: {} },
  });
});

on('onResponseStarted', (mine, details) => {
  const { requestId, statusCode, statusLine, url } = details;
  const headers = Object.fromEntries((details.responseHeaders ?? []).map(({ name, value }) => [name, value ?? '']));
  mine.tell('Network.responseReceived', {
    requestId, type: kindOf(details), frameId: idOf(mine.tab, details.frameId),
    response: { url, status: statusCode, statusText: statusLine ?? '', headers },
  });
}, ['responseHeaders']);

function ended(mine, requestId) {
  mine.open.delete(requestId);
  idleSoon(mine);
}

on('onCompleted', (mine, { requestId }) => {
  mine.tell('Network.loadingFinished', { requestId, encodedDataLength: 0 });
  ended(mine, requestId);
});

on('onErrorOccurred', (mine, { requestId, error }) => {
  mine.tell('Network.loadingFailed', { requestId, errorText: error, canceled: error === 'net::ERR_ABORTED' });
  ended(mine, requestId);
});
