// Computed style is dear: three properties cost more than the rest of a visit. Elements alike in tag, class, id and
// role, under parents alike in the same way, are nearly always styled alike, so after a few equal readings the next
// one is taken on trust. A style attribute, or one unequal reading, ends the trust. Whether an element is rendered
// at all is never taken on trust.

const TRUST = 2;
const MAX_KEY = 1000;

// Which attributes of interest an element has: one native call instead of one for each of them.
const A_STYLE = 1, A_CLASS = 2, A_ID = 4, A_ROLE = 8, A_MARK = 16, A_NAME = 32, A_STATE = 64, A_HREF = 128;
const ATTRIBUTE_BITS = new Map();
for (const [bit, names] of [
  [A_STYLE, 'style'], [A_CLASS, 'class'], [A_ID, 'id'], [A_ROLE, 'role'], [A_HREF, 'href xlink:href'],
  [A_MARK, 'tabindex onclick aria-hidden aria-disabled aria-modal inert contenteditable popover'],
  [A_NAME, 'aria-labelledby aria-label title aria-placeholder placeholder alt xlink:title label value type'],
  [A_STATE, `aria-expanded aria-checked aria-pressed aria-selected aria-busy aria-required aria-readonly aria-invalid
    aria-multiselectable aria-current aria-haspopup aria-sort aria-level aria-colindex aria-rowindex aria-disabled
    aria-describedby aria-description data-testid draggable minlength maxlength min max step pattern placeholder
    title`],
]) for (const name of wordSet(names)) ATTRIBUTE_BITS.set(name, (ATTRIBUTE_BITS.get(name) || 0) | bit);

function bitsOf(el) {
  if (!hasAttributes.call(el)) return 0;
  let bits = 0;
  const names = getAttributeNames.call(el);
  for (let i = 0; i < names.length; i += 1) bits |= ATTRIBUTE_BITS.get(names[i]);
  return bits;
}

// What is known of a tag, in one place: a look has it at hand.
const TAG_FACTS = new Map();
function tagFacts(tag) {
  let facts = TAG_FACTS.get(tag);
  if (facts === undefined) {
    const custom = tag.includes('-');
    facts = { unseen: UNSEEN_TAGS.has(tag), walked: WALKED_TAGS.has(tag), closed: CLOSED_TAGS.has(tag),
              host: custom || HOST_TAGS.has(tag), custom };
    // A page can make up any number of custom tags.
    if (TAG_FACTS.size < 1000) TAG_FACTS.set(tag, facts);
  }
  return facts;
}

class Look {
  constructor(tag = '') {
    this.tag = tagFacts(tag);
    this.kids = null;
    this.reads = 0;
    this.pointer = this.inline = this.inFlow = this.skips = this.captcha = false;
    this.visible = this.opaque = true;
    this.display = '';
    this.position = 'static';
    this.overflow = 'visible';
    // How often nothing was found: transform, generated content before and after, upper or lower case, masked text.
    this.still = this.before = this.after = this.plain = this.unmasked = 0;
  }
}

function lookUnder(parent, el, tag, bits, seen = true) {
  if (bits & A_STYLE) return ownLook(el, tag, bits);
  const key = bits === 0 ? tag : lookKey(el, tag, bits);
  if (key.length > MAX_KEY) return ownLook(el, tag, bits);
  const kids = parent.kids || (parent.kids = new Map());
  let look = kids.get(key);
  if (look === undefined) {
    kids.set(key, look = new Look(tag));
    look.captcha = CAPTCHA_WORD.test(key);
  }
  // Visibility is inherited: under something unseen nothing is taken to be visible without looking.
  if (look.reads < TRUST || !seen) readLook(look, el);
  return look;
}

const CAPTCHA_WORD = /captcha|turnstile/;

function ownLook(el, tag, bits) {
  const look = lookAt(el, tag);
  if (bits & A_CLASS) look.captcha = CAPTCHA_WORD.test(attr(el, 'class'));
  return look;
}

function lookKey(el, tag, bits) {
  let key = tag;
  if (bits & A_CLASS) key += '.' + attr(el, 'class');
  if (bits & A_ID) key += '#' + attr(el, 'id');
  if (bits & A_ROLE) key += '@' + attr(el, 'role');
  // Without an address it is no link, and has no pointer cursor of its own.
  return bits & A_HREF ? key + '>' : key;
}

function readLook(look, el) {
  const style = styleOf(el);
  const { display, position, overflow } = style;
  const pointer = style.cursor === 'pointer', visible = style.visibility === 'visible', opaque = style.opacity !== '0';
  const equal = look.pointer === pointer && look.display === display && look.position === position &&
    look.overflow === overflow && look.visible === visible && look.opaque === opaque;
  look.reads = visible && opaque && (look.reads === 0 || equal) ? look.reads + 1 : -Infinity;
  look.pointer = pointer;
  look.visible = visible;
  look.opaque = opaque;
  if (look.display !== display) {
    look.display = display;
    look.inline = /^(inline|contents|ruby)/.test(display);
  }
  look.position = position;
  look.overflow = overflow;
  look.inFlow = position === 'static' && overflow === 'visible';
  look.skips = style.contentVisibility === 'hidden';
}

function lookAt(el, tag = tagOf(el)) {
  const look = new Look(tag);
  readLook(look, el);
  return look;
}

function isTransformed(look, el) {
  if (look.still >= TRUST) return false;
  const moved = styleOf(el).transform !== 'none';
  look.still = moved ? -Infinity : look.still + 1;
  return moved;
}
