// What a program may read of a document beside what a snapshot shows: markup, one element, kept values. Secrets are in none.

const NOT_TOLD = new Set(['script', 'noscript', 'template']);
const STYLES = ['display', 'visibility', 'opacity', 'color', 'background-color', 'font-size', 'font-family',
  'font-weight', 'position', 'z-index', 'overflow', 'cursor', 'pointer-events', 'width', 'height'];
const MAX_MARKUP_NODES = 200000;
const MAX_ATTRIBUTE = 2000;

// A document may hold elements that are named like its own members.
const ofDocument = (name) => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document);

const isUntold = (element) => element.type === 'hidden' || Boolean(walker.secret(element));

// A copy, from which everything is taken that a person could not read: the page itself stays as it is.
function source(limit) {
  const root = ofDocument('documentElement');
  const title = ofDocument('title').toWellFormed();
  const count = Document.prototype.getElementsByTagName.call(document, '*').length;
  if (!root || count > MAX_MARKUP_NODES) return { html: '', title, url: location.href, total: 0, nodes: count };
  const copy = root.cloneNode(true);
  const fields = 'input, textarea, [contenteditable]';
  const copies = [...copy.querySelectorAll(fields)];
  [...root.querySelectorAll(fields)].forEach((field, place) => {
    if (!isUntold(field)) return;
    copies[place].removeAttribute('value');
    if (!(field instanceof HTMLInputElement)) copies[place].textContent = '';
  });
  for (const part of copy.querySelectorAll([...NOT_TOLD].join())) part.textContent = '';
  for (const part of copy.querySelectorAll('meta[name*="csrf" i], meta[name*="token" i]')) part.removeAttribute('content');
  const html = `<!DOCTYPE html>${copy.outerHTML}`.toWellFormed();
  return { html: html.slice(0, limit), title, url: location.href, total: html.length, nodes: count };
}

function attributesOf(element) {
  const untold = 'type' in element || plain(element).isContentEditable ? isUntold(element) : false;
  const found = {};
  for (const { name, value } of element.attributes) {
    if (name === 'value' && untold) continue;
    found[name] = value.slice(0, MAX_ATTRIBUTE).toWellFormed();
  }
  return found;
}

function inspect(id, wanted) {
  const element = walker.element(id);
  if (!element || !plain(element).isConnected) return { problem: 'gone' };
  const { flags } = walker.state(element);
  const { left, top, width, height } = boxOf(element);
  const field = kindOf(element);
  const hidden = field && walker.secret(element);
  const readers = {
    visible: () => Boolean(surfaceOf(element)),
    enabled: () => !(flags & walker.flags.DISABLED),
    checked: () => Boolean(flags & walker.flags.CHECKED),
    text: () => readText(id, 20000).text.toWellFormed(),
    value: () => hidden ? '[withheld]' : element instanceof HTMLSelectElement ? element.value : valueOf(element).toWellFormed(),
    boundingBox: () => ({ x: left, y: top, width, height }),
    attributes: () => attributesOf(element),
    computedStyle: () => {
      const style = getComputedStyle(element);
      return Object.fromEntries(STYLES.map((name) => [name, style.getPropertyValue(name)]));
    },
  };
  return Object.fromEntries(wanted.map((name) => [name, readers[name]()]));
}

// The numbers of everything in an element, what lies in its shadow roots included.
function inside(id) {
  const found = [];
  const add = (element) => {
    found.push(walker.idOf(element));
    for (const root of [walker.shadowRoot(element), element]) {
      for (const child of root ? plain(root).children : []) add(child);
    }
  };
  const element = walker.element(id);
  if (element) add(element);
  return found;
}

// Whether paper would show what only a person may read.
function holdsSecret() {
  return walker.secretParts().some((element) => kindOf(element) && valueOf(element) !== '');
}

const itemsOf = (kept) => Array.from({ length: kept.length }, (_, place) => {
  const name = kept.key(place);
  return { name: name.toWellFormed(), value: (kept.getItem(name) ?? '').toWellFormed() };
});

// None where the document has no origin, or may not keep anything.
function storage() {
  if (!/^https?:/.test(self.origin)) return null;
  try {
    return { origin: self.origin, localStorage: itemsOf(localStorage), sessionStorage: itemsOf(sessionStorage) };
  } catch {
    return null;
  }
}

function restore(kept) {
  for (const { name, value } of kept.localStorage) localStorage.setItem(name, value);
  for (const { name, value } of kept.sessionStorage ?? []) sessionStorage.setItem(name, value);
  return true;
}

// A part of a picture with boxes and labels drawn on it.
async function annotate(data, pictureWidth, [x, y, width, height], marks, style) {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes]));
  const canvas = new OffscreenCanvas(Math.max(1, Math.trunc(width)), Math.max(1, Math.trunc(height)));
  const pen = canvas.getContext('2d');
  const dots = picture.width / pictureWidth;
  pen.drawImage(picture, ...[x, y, width, height].map((n) => n * dots), 0, 0, canvas.width, canvas.height);
  pen.font = 'bold 11px sans-serif';
  pen.textBaseline = 'top';
  for (const { label, box: [left, top, wide, high] } of marks) {
    const [at, down] = [left - x, top - y];
    pen.strokeStyle = style.colour;
    pen.lineWidth = 2;
    pen.strokeRect(at, down, wide, high);
    const size = pen.measureText(label).width + 6;
    pen.fillStyle = style.colour;
    pen.fillRect(at, Math.max(0, down - 14), size, 14);
    pen.fillStyle = style.text;
    pen.fillText(label, at + 3, Math.max(0, down - 14) + 2);
  }
  const written = await canvas.convertToBlob({ type: `image/${style.format}`, quality: style.quality / 100 });
  let text = '';
  for (const byte of new Uint8Array(await written.arrayBuffer())) text += String.fromCharCode(byte);
  return btoa(text);
}
