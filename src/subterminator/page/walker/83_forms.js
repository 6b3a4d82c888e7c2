// What would be sent with an element: the fields of its form, what is ticked there, and what Enter would press.

const MAX_FIELDS = 50, MAX_PARTS_SEEN = 1000, MAX_FIELD = 100, MAX_TICKED = 20;
const SENT_APART = wordSet('hidden checkbox radio button submit reset image');
const SUBMITTERS = 'button:not([type=button],[type=reset]),input[type=submit],input[type=image]';
const PRESSED = wordSet('button submit reset image file color');
const TICKED = 'input:checked,[aria-checked=true]';
// Where Enter sends a form even if no button does.
const TRIGGERS = wordSet('text search email url tel password number');

// The form an element belongs to; where there is none, what is ticked in the dialog, section or page around it.
function formOf(el, place) {
  const form = ownForm(el) || place.form;
  const around = form || place.dialog || place.section || rootElementOf.call(page);
  const ticked = tickedIn(around, form);
  if (!form) {
    const fields = place.dialog ? fieldsOf(queryAll(place.dialog, 'input,select,textarea')) : NONE;
    return ticked.length || fields.length ? { action: '', method: '', id: 0, fields, ticked } : null;
  }
  const sender = senderOf(el, form);
  const action = sender && has(sender, 'formaction') ? sender.formAction : formActionOf.call(form);
  const method = sender && has(sender, 'formmethod') ? sender.formMethod : formMethodOf.call(form);
  return { action: cut(action, MAX_ADDRESS), method, id: idOf(form), fields: fieldsOf(formPartsOf.call(form)), ticked };
}

function ownForm(el) {
  const form = LABELABLE_TAGS.has(tagOf(el)) ? el.form : closest.call(el, 'form');
  return form instanceof HTMLFormElement ? form : null;
}

// The button whose own address and method count, where it has them.
function senderOf(el, form) {
  if (matches.call(el, SUBMITTERS)) return el;
  return tagOf(el) === 'input' ? submittersOf(form).next().value || null : null;
}

function fieldsOf(controls) {
  const fields = [];
  for (let i = 0; i < controls.length && i < MAX_PARTS_SEEN && fields.length < MAX_FIELDS; i += 1) {
    const el = controls[i], tag = tagOf(el);
    if (tag !== 'select' && tag !== 'textarea' && (tag !== 'input' || SENT_APART.has(el.type))) continue;
    const name = rememberedName(el, roleOf(el, tag), tag);
    if (tag !== 'select' && secretKind(el, name, null, true)) continue;
    const value = tag === 'select' ? selectedLabels(el).join(', ') : el.value;
    fields.push([cut(name || attr(el, 'name') || attr(el, 'id') || '', MAX_FIELD), cut(value, MAX_FIELD)]);
  }
  return fields;
}

// In a form all of them are sent; elsewhere those that people see count.
function tickedIn(around, form) {
  const ticked = [];
  for (const el of partsOf(around, form, TICKED)) {
    if (!form && !checkVisibility.call(el) && !standInFor(el)) continue;
    const tag = tagOf(el), role = roleOf(el, tag);
    const name = rememberedName(el, role, tag) || attr(el, 'name') || attr(el, 'value') || '';
    const group = role === 'radio' ? groupName(el) : '';
    const said = cut(group ? `${group}: ${name}` : name, MAX_FIELD);
    // One that is drawn round another, hidden one says the same.
    if (!ticked.includes(said) && ticked.push(said) >= MAX_TICKED) break;
  }
  return ticked;
}

function groupName(el) {
  const group = closest.call(el, 'fieldset,[role=radiogroup],[role=group]');
  return group ? rememberedName(group, roleOf(group), tagOf(group)) : '';
}

// Parts of a form or section, those in shadow roots and those bound to the form by its id included.
function* partsOf(around, form, selector) {
  yield* queryAll(around, selector);
  const id = form && attr(form, 'id');
  if (id) {
    for (const el of queryAll(page, `[form=${CSS.escape(id)}]`)) {
      if (el.form === form && !contains.call(form, el) && matches.call(el, selector)) yield el;
    }
  }
  let left = MAX_PARTS_SEEN;
  for (const el of getElementsByTagName.call(around, '*')) {
    if (--left < 0) return;
    const root = rootOf(el);
    if (root) yield* queryAll(root, selector);
  }
}

function* submittersOf(form) {
  for (const el of partsOf(form, form, SUBMITTERS)) if (el.form === form) yield el;
}

// The words of what the Enter key would press; '' where it sends nothing.
function enterOf(el, { tag, role, flags }, name) {
  if (tag === 'textarea' || editingHost(el)) return '';
  if (tag === 'select' || (tag === 'input' && !PRESSED.has(el.type))) {
    return el.form ? wordsSent(el.form, tag === 'input' && TRIGGERS.has(el.type)) : '';
  }
  const [active] = idrefs(el, 'aria-activedescendant');
  if (active) return nameOf(active, roleOf(active));
  return flags & INTERACTIVE ? name || squash(visibleText(el)).slice(0, MAX_FIELD) : '';
}

// As the browser does it: the first button that submits, or the form itself if it has none and but one text field.
function wordsSent(form, isTrigger) {
  for (const button of submittersOf(form)) {
    if (!matches.call(button, ':disabled')) return rememberedName(button, 'button', tagOf(button)) || 'submit';
    if (isTrigger) return '';
  }
  if (!isTrigger) return '';
  let texts = 0;
  for (const el of queryAll(form, 'input')) if (TRIGGERS.has(el.type) && ++texts > 1) return '';
  return 'submit';
}
