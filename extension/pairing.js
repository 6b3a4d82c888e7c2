// Who may talk to us: the one-time code, the token kept after it, and the proofs of both sides.
// The port is that of the code and of nothing else: no page, message or address can name another.

const PROTOCOL = 'subterminator-extension-1';
const CODE = /^(\d{1,5})-([0-9A-Z]{4})-([0-9A-Z]{4})-([0-9A-Z]{4})-([0-9A-Z]{4})$/;
const ROUNDS = 100_000;
const text = new TextEncoder();

/** {port, secret} of a code as it is shown, however it was typed; null if it is none. */
export function parseCode(typed) {
  const plain = String(typed).toUpperCase().replace(/[\s\u2010-\u2015]+/g, (gap) => (gap.trim() ? '-' : ''));
  const [port, ...groups] = plain.split('-');
  const secret = groups.join('').replace(/O/g, '0').replace(/[IL]/g, '1');
  const found = CODE.exec([port, ...(secret.match(/.{1,4}/g) ?? [])].join('-'));
  if (!found || +found[1] < 1 || +found[1] > 65535) return null;
  return { port: +found[1], secret };
}

export async function keyOfCode(secret, port) {
  const material = await crypto.subtle.importKey('raw', text.encode(secret), 'PBKDF2', false, ['deriveBits']);
  const salt = text.encode([PROTOCOL, chrome.runtime.id, port].join('\n'));
  const bits = await crypto.subtle.deriveBits(
    { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: ROUNDS }, material, 256);
  return importKey(bits);
}

export function keyOfToken(token) {
  return importKey(decode(token));
}

function importKey(bytes) {
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

export function newNonce() {
  return encode(crypto.getRandomValues(new Uint8Array(32)));
}

/** What is proven: who, both nonces, our id, the port, how, and which browser. */
function statement(role, talk) {
  const { mine, theirs, port, kind, browser } = talk;
  return text.encode([PROTOCOL, role, mine, theirs, chrome.runtime.id, port, kind, browser].join('\n'));
}

export async function prove(key, talk) {
  return encode(new Uint8Array(await crypto.subtle.sign('HMAC', key, statement('extension', talk))));
}

export async function holds(key, talk, proof) {
  try {
    return await crypto.subtle.verify('HMAC', key, decode(proof), statement('server', talk));
  } catch {
    return false; // Not even written as a proof is.
  }
}

function encode(bytes) {
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function decode(words) {
  const plain = atob(String(words).replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

// What is kept

/** {port, token, name} or null. Pages and content scripts cannot read this storage. */
export async function readPairing() {
  await chrome.storage.local.setAccessLevel({ accessLevel: 'TRUSTED_CONTEXTS' });
  return (await chrome.storage.local.get('pairing')).pairing ?? null;
}

export async function keepPairing(pairing) {
  await chrome.storage.local.set({ pairing });
}

export async function forgetPairing() {
  await chrome.storage.local.remove('pairing');
}

/** This browser profile, told apart from others of the same user. */
export async function describeBrowser() {
  let { browser } = await chrome.storage.local.get('browser');
  if (!browser) {
    browser = newNonce().slice(0, 16);
    await chrome.storage.local.set({ browser });
  }
  const brands = navigator.userAgentData?.brands ?? [];
  const real = brands.filter(({ brand }) => !/not.*brand/i.test(brand));
  const { brand, version } = real.find((each) => each.brand !== 'Chromium') ?? real[0] ?? { brand: 'Chromium', version: '' };
  return { id: browser, name: `${brand} on ${navigator.userAgentData?.platform ?? 'this computer'}`, version };
}
