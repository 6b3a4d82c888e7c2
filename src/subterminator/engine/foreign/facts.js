// What the snapshot does not tell of some elements, read through locators: they work in a world of the server's own,
// where no script of the page runs. Called with `page`; what is in capitals is put in by facts.py.
async page => {
  const TAGS = ['a', 'area', 'button', 'input', 'select', 'textarea', 'label', 'summary', 'option', 'iframe', 'object',
    'embed'];
  const FIELD = ['type', 'autocomplete', 'name', 'id', 'placeholder', 'maxlength', 'minlength', 'required', 'readonly',
    'contenteditable'];
  const OPENS = ['aria-haspopup', 'aria-expanded'];
  const MORE = ['href', 'target', 'form', 'formaction', 'formmethod', 'title', ...OPENS];
  const SENDS = 'xpath=self::button[(ancestor::form or @form) and not(@type="button" or @type="reset")] | ' +
    'self::input[(ancestor::form or @form) and (@type="submit" or @type="image")]';
  const PUZZLE = 'xpath=ancestor-or-self::*[contains(@class, "captcha") or contains(@class, "turnstile") or ' +
    'contains(@id, "captcha") or @data-sitekey]';
  const patience = { timeout: 2000 };
  const attributes = async (locator, names) => {
    const found = await Promise.all(names.map(async name => [name, await locator.getAttribute(name, patience)]));
    return Object.fromEntries(found.filter(([, value]) => value !== null).map(([k, v]) => [k, v.slice(0, 2000)]));
  };
  // Of the page's own document the address is known; only for one in a frame the element has to be held.
  const framesOf = async (ref, locator) => {
    if ((/^f(\d+)/.exec(ref) || ['', '0'])[1] === MAIN) return [page.url()];
    const handle = await locator.elementHandle(patience);
    const urls = [];
    for (let frame = await handle.ownerFrame(); frame; frame = frame.parentFrame()) urls.unshift(frame.url());
    await handle.dispose();
    return urls;
  };
  const tagOf = async base => {
    const counts = await Promise.all(TAGS.map(tag => page.locator(`${base} >> xpath=self::${tag}`).count()));
    return TAGS[counts.indexOf(1)] || '';
  };
  const formOf = async (base, named) => {
    const form = page.locator(`${base} >> xpath=${named ? `//form[@id=${JSON.stringify(named)}]` : 'ancestor::form[1]'}`);
    return await form.count() === 1 ? attributes(form, ['action', 'method', 'id']) : null;
  };
  const read = async ref => {
    const base = `aria-ref=${ref}`;
    const locator = page.locator(base);
    if (await locator.count() !== 1) return null;
    const names = WHOLE ? [...FIELD, ...MORE] : FIELD;
    const [tag, own, frames] = await Promise.all([tagOf(base), attributes(locator, names), framesOf(ref, locator)]);
    if (!WHOLE) return { tag, own, frames };
    const [form, puzzles] = await Promise.all([formOf(base, own.form), page.locator(`${base} >> ${PUZZLE}`).count()]);
    return { tag, own, frames, form, puzzle: puzzles > 0, whole: true };
  };
  const button = async ref => {
    const base = `aria-ref=${ref}`;
    const locator = page.locator(base);
    if (await locator.count() !== 1) return null;
    const [own, sends] = await Promise.all([attributes(locator, OPENS), page.locator(`${base} >> ${SENDS}`).count()]);
    return { own, sends: sends === 1 };
  };
  const known = {};
  // What cannot be read is left out, and counts as unknown.
  await Promise.all([
    ...REFS.map(async ref => { known[ref] = await read(ref).catch(() => null); }),
    ...BUTTONS.map(async ref => { known[ref] = await button(ref).catch(() => null); }),
  ]);
  return known;
}
