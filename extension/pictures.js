// Pictures of what is in view, cut and painted over here. More than that only the debugger can draw.

const PAUSE_MS = 600; // The browser gives two pictures a second.
const COVER = 'rgb(40, 40, 40)';
let last = Promise.resolve();

/** `clip` is in pixels of the whole page, as the protocol has it; `view` is what can be seen of it now. */
export async function capture(tab, { clip, format = 'png', quality = 80 }, view, covers) {
  const area = clip ?? { ...view, scale: 1 };
  const part = { ...area, x: area.x - view.x, y: area.y - view.y };
  const right = part.x + part.width, bottom = part.y + part.height;
  const fits = part.x >= -1 && part.y >= -1 && right <= view.width + 1 && bottom <= view.height + 1;
  if (!fits) throw { code: -32000, message: 'needs the debugger permission: a picture of more than is in view' };
  const shot = await shoot(tab);
  const dots = shot.width / view.width;
  const width = Math.max(1, Math.trunc(area.width * area.scale));
  const height = Math.max(1, Math.trunc(area.height * area.scale));
  const canvas = new OffscreenCanvas(width, height);
  const pen = canvas.getContext('2d');
  pen.drawImage(shot, part.x * dots, part.y * dots, part.width * dots, part.height * dots, 0, 0, width, height);
  pen.fillStyle = COVER;
  for (const [x, y, wide, high] of covers) {
    pen.fillRect((x - part.x) * area.scale, (y - part.y) * area.scale, wide * area.scale, high * area.scale);
  }
  return { data: await written(canvas, `image/${format}`, quality / 100) };
}

function shoot(tab) {
  const mine = last.then(() => once(tab));
  last = mine.catch(() => {}).then(() => new Promise((done) => { setTimeout(done, PAUSE_MS); }));
  return mine;
}

async function once(tab) {
  // Only the tab in front of a window is drawn.
  const { active, windowId } = await chrome.tabs.get(tab);
  if (!active) await chrome.tabs.update(tab, { active: true });
  const address = await chrome.tabs.captureVisibleTab(windowId, { format: 'png' });
  return createImageBitmap(blobOf(address));
}

function blobOf(address) {
  const text = atob(address.slice(address.indexOf(',') + 1));
  return new Blob([Uint8Array.from(text, (letter) => letter.charCodeAt(0))], { type: 'image/png' });
}

async function written(canvas, type, quality) {
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type, quality })).arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}
