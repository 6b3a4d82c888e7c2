// What an element stands in: dialog, form, row, section; what is said there; and whether that is a puzzle for people.

const MAX_LEVELS = 300, MAX_STEPS = 250;
const MAX_AROUND = 400, MAX_BEFORE = 280, MAX_TITLE = 100;
const PART_TAGS = wordSet('tr li article fieldset'), PART_ROLES = wordSet('row listitem article group');
const SECTION_TAGS = wordSet('section article fieldset'), SECTION_ROLES = wordSet('region group radiogroup article');
const WIDGETS = '.g-recaptcha,.h-captcha,.cf-turnstile,.frc-captcha,.mtcaptcha,.smart-captcha,.geetest_captcha,' +
  '.geetest_holder,#px-captcha,altcha-widget,awswaf-captcha,[data-sitekey]:not(form,body)';
const PUZZLE_PAGES = new RegExp('^https?://(?:[\\w-]+\\.)*(?:(?:hcaptcha|arkoselabs|funcaptcha|captcha-delivery|' +
  'mtcaptcha|friendlycaptcha|geetest|awswaf)\\.com|challenges\\.cloudflare\\.com|recaptcha\\.net|' +
  'friendlycaptcha\\.eu|px-(?:cdn|cloud)\\.net|smartcaptcha\\.yandexcloud\\.net)(?:[:/]|$)|' +
  '^https?://www\\.google\\.com/recaptcha/', 'i');
const anyCase = (...some) => new RegExp(`(?<!\\p{L})(?:${anyOf(...some)})(?!\\p{L})`, 'iu');
const NO_ROBOT = anyCase(/not a (ro)?bot/, /am (a )?human/, /(are you|you are|you.re) (a )?(human|robot)/,
  /kein (roboter|bot)/, /(ich bin|sie sind|du bist|sie) ein mensch/, /pas un robot/, /(suis|êtes|es) (un )?humaine?/,
  /no soy un robot/, /(soy|eres|es) (un )?(ser )?human[oa]/, /non sono un robot/,
  /(sono|sei|è) (un )?(essere )?uman[oa]/);
const PICTURED = anyCase(/captcha/, /characters (you see|shown|(in|from) the (image|picture))/,
  /zeichen (im|auf dem|aus dem) bild/, /caractères (affichés|de l.image)/, /caracteres (que ves|de la imagen)/,
  /caratteri (che vedi|mostrati|nell.immagine|dell.immagine)/);

// The nearest of each kind around an element; nothing outside of a dialog counts.
function standingIn(el) {
  const found = { dialog: null, form: null, part: null, section: null, widget: null };
  let levels = 0;
  for (let up = flatParent(el); up && levels < MAX_LEVELS; up = flatParent(up), levels += 1) {
    const tag = tagOf(up);
    const role = attr(up, 'role') || '';
    if (tag === 'form') found.form ||= up;
    if (PART_TAGS.has(tag) || PART_ROLES.has(role)) found.part ||= up;
    if (SECTION_TAGS.has(tag) || SECTION_ROLES.has(role)) found.section ||= up;
    if (matches.call(up, WIDGETS)) found.widget ||= up;
    if (isDialog(up, tag, role)) {
      found.dialog = up;
      break;
    }
  }
  return found;
}

const isDialog = (el, tag, role) => tag === 'dialog' || role === 'dialog' || role === 'alertdialog' ||
  isOn(el, 'aria-modal') || (has(el, 'popover') && matches.call(el, ':popover-open'));

// The words round an element, those before it first, from the last heading to the next one.
function textAround(el, { dialog, form, part }) {
  if (dialog) return withTitle(titleOfDialog(dialog), wordsIn(el, dialog, dialog).text);
  const root = rootElementOf.call(page);
  if (part && !form) {
    const { title, text } = wordsIn(el, part, root);
    // A list of buttons says nothing by itself; what matters stands before it.
    if (text.length > squash(visibleText(el)).length) return withTitle(title, text);
  }
  const { title, text } = wordsIn(el, form || root, root);
  return withTitle(title, text);
}

const withTitle = (title, text) => cut(text.includes(title) ? text : `${title} \u2026 ${text}`, MAX_AROUND);

function titleOfDialog(dialog) {
  const name = nameOf(dialog, 'dialog');
  const heading = name ? null : queryAll(dialog, 'h1,h2,h3,h4,h5,h6,[role=heading]')[0];
  return cut(name || (heading ? squash(textOf.call(heading).slice(0, MAX_DATA)) : ''), MAX_TITLE);
}

// The text near an element in something that holds it, and the heading over that, looked for as far as `furthest`.
function wordsIn(el, within, furthest) {
  const anchor = inTreeOf(within, el);
  if (!anchor) return { title: '', text: '' };
  const blocks = new Map();
  const before = new Reading(anchor, contains.call(furthest, within) ? furthest : within, blocks);
  const title = before.back(MAX_BEFORE, within);
  const after = new Reading(anchor, within, blocks);
  const said = before.text.replace(SPACES, ' ').slice(-MAX_BEFORE);
  after.on(MAX_AROUND - said.length);
  const joined = said + (before.first === after.first && !before.apart && !after.apart ? '' : ' ') + after.text;
  return { title, text: cut(squash(joined), MAX_AROUND) };
}

// What stands for an element in the tree of something around it: itself, or the host of the shadow root it is in.
function inTreeOf(within, el) {
  const root = getRootNode.call(within);
  for (let up = el; up; up = flatParent(up)) if (getRootNode.call(up) === root) return up;
  return null;
}

// Reads text from an element on, one way or the other. Pieces of one line are joined as they are shown.
class Reading {
  constructor(from, within, blocks) {
    this.steps = TREE.createTreeWalker.call(page, within, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    this.steps.currentNode = from;
    this.from = from;
    this.blocks = blocks;
    this.text = '';
    this.left = MAX_STEPS;
    this.gap = this.apart = false;
    this.edge = this.first = null;
  }

  // Answers the last heading before it, if that was not read.
  back(room, within) {
    let reads = true;
    for (let node; this.left > 0 && (node = this.steps.previousNode()); this.left -= 1) {
      const isText = typeOf.call(node) === TEXT;
      if (!isText && isHeading(node)) return reads ? '' : headingText(node);
      if (reads) this.take(node, isText, (text, space) => text + space + this.text);
      reads = reads && node !== within && this.text.length < room;
    }
    return '';
  }

  on(room) {
    for (let node; this.left > 0 && this.text.length < room && (node = this.steps.nextNode()); this.left -= 1) {
      const isText = typeOf.call(node) === TEXT;
      if (!isText && isHeading(node)) return;
      this.take(node, isText, (text, space) => this.text + space + text);
    }
  }

  take(node, isText, join) {
    if (!isText) {
      if (tagOf(node) === 'br') this.gap = true;
      return;
    }
    const data = textData(node);
    if (isWhite(data)) {
      this.gap = this.gap || data !== '';
      return;
    }
    const parent = parentOf.call(node);
    const block = this.blockOf(parent);
    if (block === null || this.isLeftOut(parent)) return;
    if (this.first === null) {
      this.first = block;
      this.apart = this.gap;
    }
    this.text = join(data, this.text !== '' && (this.gap || block !== this.edge) ? ' ' : '');
    this.edge = block;
    this.gap = false;
  }

  // The label of a box that people see and have not ticked: what it says does not happen with a press elsewhere.
  isLeftOut(el) {
    const label = typeOf.call(el) === ELEMENT ? closest.call(el, 'label') : null;
    const box = label && label.control;
    return Boolean(box) && tagOf(box) === 'input' && box.type === 'checkbox' && !box.checked && !box.indeterminate &&
      checkVisibility.call(box) && !contains.call(label, this.from);
  }

  // The block whose lines the text of an element is in; null where people do not see that text, or may write it.
  blockOf(el) {
    if (typeOf.call(el) !== ELEMENT) el = el instanceof ShadowRoot ? hostOf.call(el) : null;
    if (el === null) return null;
    let block = this.blocks.get(el);
    if (block === undefined) this.blocks.set(el, block = readableBlock(el));
    return block;
  }
}

function readableBlock(el) {
  const tag = tagOf(el);
  if (UNSEEN_TAGS.has(tag) || NO_CONTENT.has(tag)) return null;
  let style = styleOf(el);
  if (!checkVisibility.call(el, SHOWN) && style.display !== 'contents') return null;
  if (style.webkitTextSecurity !== 'none' || style.webkitUserModify !== 'read-only') return null;
  const box = boxOf(el);
  if (style.display !== 'contents' && (isTiny(box) || box.r + scrollX <= 0 || box.b + scrollY <= 0)) return null;
  let block = el;
  while (/^(inline$|contents)/.test(style.display)) {
    const up = flatParent(block);
    if (!up) break;
    block = up;
    style = styleOf(block);
  }
  return block;
}

const isHeading = el => /^h[1-6]$/.test(localOf.call(el)) || attr(el, 'role') === 'heading';
const headingText = el =>
  checkVisibility.call(el, SHOWN) ? cut(squash(textOf.call(el).slice(0, MAX_DATA)), MAX_TITLE) : '';

// A puzzle that is to keep programs out: a known one, a field for the signs in a picture, or a box that says so.
function isPuzzle(el, { role, flags, extra }, name, { widget }) {
  if (widget || (extra && extra.cap) || inPuzzlePage()) return true;
  if (matches.call(el, WIDGETS)) return !INTERACTIVE_ROLES.has(role);
  if (flags & EDITABLE) return PICTURED.test(spaced(`${attr(el, 'name')}|${attr(el, 'id')}|${name}`));
  return role !== 'link' && (flags & INTERACTIVE) !== 0 && name.length < MAX_FACT && NO_ROBOT.test(name);
}

function inPuzzlePage() {
  const above = Array.from(location.ancestorOrigins);
  return above.length > 0 && [addressOf.call(page), ...above].some(address => PUZZLE_PAGES.test(address));
}
