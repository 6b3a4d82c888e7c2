// Text that comes from style sheets: generated content with its counters, and upper or lower case.

const MAX_COUNTED = 3000, MAX_SCOPES = 100;

const TRANSFORMS = {
  uppercase: text => text.toUpperCase(),
  lowercase: text => text.toLowerCase(),
  capitalize: text => text.replace(/(^|[\s\p{P}])(\p{Ll})/gu, (_, before, letter) => before + letter.toUpperCase()),
};

function transformed(el, look, text) {
  if (look.plain >= TRUST || !/\S/.test(text)) return text;
  const change = TRANSFORMS[styleOf(el).textTransform];
  look.plain = change ? -Infinity : look.plain + 1;
  return change ? change(text) : text;
}

function textBeforeContent(el, look) {
  if (look.before >= TRUST) return '';
  const text = generatedText(el, '::before');
  look.before = text ? -Infinity : look.before + 1;
  return text;
}

function textAfterContent(el, look) {
  if (look.after >= TRUST) return '';
  const text = generatedText(el, '::after');
  look.after = text ? -Infinity : look.after + 1;
  return text;
}

function generatedText(el, which) {
  const style = styleOf(el, which);
  const content = style.content;
  if (!content || content === 'none' || content === 'normal' || content === '""') return '';
  if (style.display === 'none' || style.visibility !== 'visible') return '';
  // "shown" / "alternative": what stands last is meant for names, and stands apart like any other alternative.
  const parts = content.slice(0, 4000).split(/ \/ (?=["(a-z])/);
  const text = contentParts(el, which, parts.pop());
  return text && (parts.length || style.display !== 'inline') ? ` ${text} ` : text;
}

const CONTENT_PARTS = /"((?:[^"\\]|\\.)*)"|attr\(([\w-]+)\)|counters?\(([\w-]+)/g;

function contentParts(el, which, wanted) {
  const text = [];
  for (const [, quoted, attribute, counter] of wanted.matchAll(CONTENT_PARTS)) {
    if (counter) text.push(counterValue(el, which, counter));
    else text.push(attribute ? attr(el, attribute) || '' : quoted.replace(/\\(.)/g, '$1'));
  }
  return text.join('');
}

function counterValue(el, which, name) {
  if (!memo.counters) memo.counters = countAll();
  const values = memo.counters.get(el);
  return values ? String(values[which][name] ?? 0) : '';
}

// The counters of every element with generated content, in document order. Only pages whose names need them pay for
// it, and only if they are small.
function countAll() {
  const found = new Map();
  const scopes = [];
  const path = [{ el: rootElementOf.call(page), next: null, opened: false }];
  let left = MAX_COUNTED;
  while (path.length && left > 0) {
    const at = path[path.length - 1];
    if (!at.opened) {
      left -= 1;
      at.opened = true;
      at.next = firstElementOf.call(at.el);
      applyCounters(scopes, styleOf(at.el), path.length);
      found.set(at.el, { '::before': pseudoCounters(scopes, at.el, '::before', path.length + 1), '::after': {} });
    } else if (at.next) {
      path.push({ el: at.next, next: null, opened: false });
      at.next = nextElementOf.call(at.next);
    } else {
      found.get(at.el)['::after'] = pseudoCounters(scopes, at.el, '::after', path.length + 1);
      endScopes(scopes, path.length);
      path.pop();
    }
  }
  return found;
}

function pseudoCounters(scopes, el, which, depth) {
  const style = styleOf(el, which);
  if (style.content !== 'none' && style.content !== 'normal') applyCounters(scopes, style, depth);
  return Object.fromEntries(scopes.map(({ name, value }) => [name, value]));
}

// A counter lives among the siblings of the element that made it, and inside them.
function endScopes(scopes, depth) {
  while (scopes.length && scopes[scopes.length - 1].depth > depth) scopes.pop();
}

function applyCounters(scopes, style, depth) {
  for (const [name, value] of counterPairs(style.counterReset, 0)) {
    const sibling = scopes.find(scope => scope.name === name && scope.depth === depth);
    if (sibling) sibling.value = value;
    else openScope(scopes, name, value, depth);
  }
  for (const [name, value] of counterPairs(style.counterSet, 0)) innermost(scopes, name, depth).value = value;
  for (const [name, value] of counterPairs(style.counterIncrement, 1)) innermost(scopes, name, depth).value += value;
}

function innermost(scopes, name, depth) {
  for (let i = scopes.length - 1; i >= 0; i -= 1) if (scopes[i].name === name) return scopes[i];
  return openScope(scopes, name, 0, depth);
}

function openScope(scopes, name, value, depth) {
  const scope = { name, value, depth };
  if (scopes.length < MAX_SCOPES) scopes.push(scope);
  return scope;
}

function counterPairs(text, otherwise) {
  if (!text || text === 'none') return [];
  return [...text.matchAll(/([\w-]+)(?:\s+(-?\d+))?/g)].map(([, name, value]) => [name, Number(value ?? otherwise)]);
}
