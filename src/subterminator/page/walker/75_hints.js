// Marked guesses ("~trash") for what has no accessible name. They are never names: a page's author did not say them.

const MAX_HINT = 40;
const MAX_ABOVE = 40;
const FIELD_ROLES = wordSet(`textbox searchbox combobox listbox spinbutton slider date time datetime month week color
  file checkbox radio switch`);
// Words of utility classes, frameworks and layouts, which say nothing of what a thing is for.
const DULL_WORDS = wordSet(`a b btn button buttons icon icons ico fa fas far fab fal fad glyphicon material symbols svg
  img image link links wrapper wrap container inner outer content item items col row flex grid block inline text label
  small medium large lg md sm xs xl primary secondary default active disabled hidden visible js is has ui mui css jsx
  sc root base box left right top bottom center header footer nav main component react ember ng vue input field form
  control rounded border shadow bg hover focus p m px py mx my pt pb mt mb w h the div span 2x 3x fw width height
  clickable cursor pointer position relative absolute none true false undefined null svgicon size color sprite use
  symbol`);

function addHint(record) {
  const { el, role } = record;
  const said = FIELD_ROLES.has(role) && record.tag !== 'button' ? nearbyText(record) : '';
  const hint = said || wordHint(el, record.tag);
  if (hint) fact(record).h = '~' + cut(hint, MAX_HINT - 1);
  const kind = said && (record.flags & (EDITABLE | SECRET)) === EDITABLE ? hintedKind(said) : '';
  if (kind) hide(record, kind);
}

function wordHint(el, tag) {
  for (const source of hintSources(el, tag)) {
    const words = hintWords(source);
    if (words) return words;
  }
  return '';
}

function* hintSources(el, tag) {
  yield attr(el, 'data-testid') || attr(el, 'data-test');
  yield attr(el, 'title');
  const parts = [...queryAll(el, 'svg,use,img,i,span')].slice(0, 10);
  for (const part of parts) if (tagOf(part) === 'svg') yield svgTitle(part);
  for (const part of [el, ...parts]) yield iconName(part);
  yield attr(el, 'id');
  yield attr(el, 'name');
  yield attr(el, 'class');
  for (const part of parts) yield attr(part, 'class');
  if (tag === 'a') yield lastSegment(attr(el, 'href') || '');
  yield attr(el, 'type');
}

// What an icon is called in the page's own files: a sprite's id, a picture's file name, an icon font's class.
function iconName(el) {
  const tag = tagOf(el);
  if (tag === 'use') return ((attr(el, 'href') || attr(el, 'xlink:href') || '').split('#')[1] || '');
  if (tag === 'img') return lastSegment(attr(el, 'src') || '');
  const icon = /(?:^|\s)(?:fa|icon|glyphicon|bi|mdi|ti|la|ri)-([a-z][a-z0-9-]*)/i.exec(attr(el, 'class') || '');
  return icon && !/^(solid|regular|brands|lg|fw|\d)/.test(icon[1]) ? icon[1] : '';
}

function lastSegment(address) {
  if (address.startsWith('data:') || address.startsWith('javascript:')) return '';
  const path = address.slice(0, 2000).split(/[?#]/)[0].replace(/^\w+:\/\/[^/]*/, '').replace(/\/+$/, '');
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.\w{2,5}$/, '');
}

function hintWords(source) {
  if (!source) return '';
  const words = source.slice(0, 400).replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const telling = words.filter(word => word.length > 1 && word.length < 20 && !DULL_WORDS.has(word) &&
    !looksHashed(word));
  return [...new Set(telling)].slice(0, 4).join('-').slice(0, MAX_HINT - 1);
}

const looksHashed = word => /\d/.test(word) && /[a-z]/.test(word) && word.length > 5 || /^\d+$/.test(word) ||
  (word.length > 4 && !/[aeiouyàâäåæèéêëìíîïòóôöøùúûü\u0370-\uffff]/.test(word));

// The nearest visible text before a field: in its row, the cell to the left, or just above it.
function nearbyText(record) {
  const { el, box } = record;
  let at = el;
  for (let level = 0; level < 4 && at; level += 1) {
    const text = textBefore(at, box);
    if (text !== '') return text || '';
    at = flatParent(at);
    if (!at || /^(form|body|main|fieldset)$/.test(tagOf(at))) return '';
  }
  return '';
}

// Null where another control comes first: what stands before that is its text, not ours.
function textBefore(el, box) {
  for (let node = previousOf.call(el), looks = 0; node && looks < 4; node = previousOf.call(node), looks += 1) {
    const type = typeOf.call(node);
    if (type !== TEXT && type !== ELEMENT) continue;
    if (type === ELEMENT && (matches.call(node, COUNTED) || queryAll(node, COUNTED).length)) return null;
    const text = squash(textOf.call(node).slice(0, 300));
    if (!text) continue;
    if (type === ELEMENT && (!checkVisibility.call(node, SHOWN) || !isBeside(boxOf(node), box))) continue;
    return cut(text.replace(/[:*\s]+$/, ''), MAX_HINT - 1);
  }
  return '';
}

const isBeside = (near, box) => near.l <= box.r && ((near.b > box.t && near.t < box.b) ||
  (box.t - near.b >= -2 && box.t - near.b <= MAX_ABOVE));
