// The hands: what carries out the engine's commands in a tab. Both have one face, and the engine does not know which:
//
//   name, capabilities           what it is and can: { trusted, flat, downloads, screenshots: 'any' | 'visible' }
//   blank, showsAs(url)          the address of a new empty tab, and how such an address is told
//   attach(tab)                  -> { targetId, url, title }; again is no harm
//   detach(tab)
//   send(tab, session, method, params)  -> result, or throws { code, message }; the tab itself is session ''
//   onEvent(callback(tab, session, method, params))
// and content has onOpen(callback(tab, opener)), debugger onEnd(callback(tab, reason)).

import { contentHand } from './content.js';
import { debuggerHand } from './debugger.js';

// The debugger cannot be an optional permission: where the user wants none, the manifest has none.
export const hands = { ...(chrome.debugger ? { debugger: debuggerHand } : {}), content: contentHand };

/** The hand wished for, or the best there is. */
export function chooseHand(wished) {
  return hands[wished] ?? hands.debugger ?? hands.content;
}
