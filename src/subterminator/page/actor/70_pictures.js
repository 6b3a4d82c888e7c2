// What a picture shows, and what it must not show: secret fields and the documents of other sites.

const MAX_VEILS = 300;
const COVER = 'rgb(40, 40, 40)';

function pageBox(id) {
  const element = id ? walker.element(id) : null;
  if (id && !element) return { problem: 'gone' };
  const surface = element && surfaceOf(element);
  if (element && !surface) return { problem: 'not_visible', why: walker.whyUnseen(element) };
  const root = document.documentElement;
  const page = {
    // Drawn as a whole it has no scroll bar, and its content takes that place too.
    width: Math.max(root.scrollWidth, innerWidth), height: Math.max(root.scrollHeight, innerHeight), x: scrollX, y: scrollY,
    vw: innerWidth, vh: innerHeight,
  };
  if (!surface) return { page, ...veils() };
  const { left, top, width, height } = boxOf(surface);
  return { page, box: [left + scrollX, top + scrollY, width, height] };
}

// The elements to cover, and whether one of them is being filled right now.
function veils() {
  const at = deepActive();
  const secret = walker.secretParts().filter(isDrawn);
  return { veils: [...new Set(secret.map(outermost))].map(walker.idOf), writing: Boolean(at && walker.secret(at)) };
}

const isDrawn = (element) => {
  const { width, height } = boxOf(element);
  return width > 0 && height > 0 && Element.prototype.checkVisibility.call(element);
};

// The browser can name what lies in a shadow root only by its host.
function outermost(element) {
  for (let root = rootOf(element); root instanceof ShadowRoot; root = rootOf(element)) element = root.host;
  return element;
}

// Where they are, and a selector for all of them that holds as long as the document stays as it is.
function veilPlaces(ids) {
  const elements = ids.map(walker.element).filter((element) => element && plain(element).isConnected);
  const places = elements.map((element) => {
    const { left, top, width, height } = boxOf(element);
    return [left + scrollX, top + scrollY, width, height].map(Math.round);
  });
  const first = elements.length ? walker.idOf(elements[0]) : 0;
  const selector = elements.length > MAX_VEILS ? ':root' : elements.map(pathTo).join(',');
  return { first, selector, places: elements.length > MAX_VEILS ? [] : places };
}

function pathTo(element) {
  const steps = [];
  for (let at = element; at && at !== document.documentElement; at = parentElement.call(at)) {
    let place = 1;
    for (let before = at; (before = previousElement.call(before));) place += 1;
    steps.unshift(`:nth-child(${place})`);
  }
  return [':root', ...steps].join('>');
}
const previousElement = Object.getOwnPropertyDescriptor(Element.prototype, 'previousElementSibling').get;

// A part of a picture of a view so wide, painted over in places, scaled and written anew.
async function redraw(data, { x, y, width, height, scale, format, quality, covers = [] }, viewWidth) {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes]));
  const canvas = new OffscreenCanvas(Math.max(1, Math.trunc(width * scale)), Math.max(1, Math.trunc(height * scale)));
  const pen = canvas.getContext('2d');
  pen.imageSmoothingQuality = 'high';
  const dots = picture.width / viewWidth;
  pen.drawImage(picture, ...[x, y, width, height].map((n) => n * dots), 0, 0, canvas.width, canvas.height);
  pen.fillStyle = COVER;
  for (const cover of covers) pen.fillRect(...cover.map((n) => n * scale));
  const written = await canvas.convertToBlob({ type: `image/${format}`, quality: quality && quality / 100 });
  let text = '';
  for (const byte of new Uint8Array(await written.arrayBuffer())) text += String.fromCharCode(byte);
  return btoa(text);
}
