// Which fields only a person may fill: by type, by autocomplete, by their words, by the way they show what they hold.
// The value of such a field never leaves the page.

const NEVER_SECRET = wordSet('email url search date time month week datetime-local color range checkbox radio file');
const MAX_JUDGED_WORDS = 10000, MAX_MASKS_ASKED = 300;

const AUTOCOMPLETE_SECRETS = [
  ['password', /\b(current|new)-password\b/i], ['code', /\bone-time-code\b/i],
  ['card', /\bcc-(number|csc|exp(-month|-year)?)\b/i],
];

// Whole words, in lower case, with one space wherever an identifier changes from word to word. A number may follow.
// Long ones count also within what programmers write as one.
const anyOf = (...some) => some.map(part => part.source).join('|');
const wholeWords = (...some) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${anyOf(...some)})(?!\\p{L})`, 'u');

const WORD_SECRETS = [
  ['password', /passwor[dt]|passwd|passphrase|kennwort|contrase[nñ]|senha|парол|密码|密碼|パスワード|비밀번호/],
  ['password', wholeWords(/pass ?code/, /pwd|psw|pswd|mdp/, /mot ?de ?passe/, /(?<!palabras? )clave/, /parola d.ordine/,
    /(api|secret|private|access) ?key/, /(api|access|auth) ?token/, /(seed|recovery) (phrase|key)/,
    /(security|secret) answer/, /sicherheitsantwort/, /réponse (secrète|de sécurité)/,
    /respuesta (secreta|de seguridad)/, /risposta (segreta|di sicurezza)/)],
  ['card', /(?<!dis|post|score)card ?num|kartennummer/],
  ['card', wholeWords(/(card|cc) ?(number|num|no|nr)/, /karten? ?(number|nummer|nr)/, /n[uú]mero de (la )?tarjeta/,
    /tarjeta (num|n[uú]mero)/, /num[ée]ro de (la )?carte/, /numero (della |di )?carta/,
    /cc ?(csc|cvc|cvv|exp\p{L}*)/, /cv[vcn]2?|csc|iban/, /card ?(verification|security)\p{L}*/,
    /(card|cc) ?expir\p{L}*/,
    /(security|sicherheits) ?code/, /code de sécurité/, /c[oó]digo de seguridad/, /codice di sicurezza/,
    /(karten)?pr(ü|ue)f(ziffer|nummer)n?/, /cryptogramme/)],
  // When a card expires; a day before it makes it a date.
  ['card', /(?<!\p{L}|\/ ?)mm ?\/ ?(yy|jj|aa)/u],
  ['code', /(verification|authentication|authenticator|bestätigungs|verifizierungs) ?code|one ?time ?(code|pass)/],
  ['code', wholeWords(/one ?time ?(pin|token)/, /t?otp( ?code)?|2fa|mfa|pin/,
    /(m|i|sms|push|chip|photo|app)? ?tan/, /geheimzahl/,
    /(verify|auth|sms|login|sign ?in|confirmation|recovery|backup) ?codes?/,
    /(authentifizierungs|einmal|zugangs|freischalt|freigabe|anmelde|sms|prüf) ?codes?/,
    /code (secret|confidentiel|sms|otp|reçu|unique|à usage unique|d.accès)/,
    /code de (vérification|confirmation|validation|connexion)/,
    /c[oó]digo (secreto|sms|otp|recibido|de un solo uso|de (verificaci[oó]n|confirmaci[oó]n|validaci[oó]n|acceso))/,
    /codice (segreto|sms|otp|pin|monouso|ricevuto|temporaneo|di (verifica|conferma|accesso|autenticazione))/)],
];
// As a name that only programs read; to people it has other meanings. And the other way round.
const WRITTEN_PASSWORD = wholeWords(/pass/, /pw/);
const SHOWN_CARD = wholeWords(/(?<!on )credit ?card(?! (holder|owner|type))/, /kreditkarten?/, /carta di credito/,
  /carte (de cr[ée]dit|bancaire)/, /tarjeta de cr[eé]dito/);
// A code of no named kind, unless what people read says which kind it is ("Promo code").
const BARE_CODE = new RegExp('^(?:(?:\\d+|enter|type|insert|your|the|this|digit|stelliger|gib|den|dein|ihr|votre|le|' +
  'saisissez|entrez|el|tu|su|introduce|introduzca|il|tuo|inserisci|de|dígitos) )*(?:code|c[oó]digo|codice)' +
  '(?: (?:à|de|a) \\d+ (?:chiffres|dígitos|cifre))?$');
// Every pattern above contains one of these; most fields contain none.
const SECRET_STEMS = new RegExp(anyOf(/pass|kennwort|contrase|senha|парол|密|パス|비밀|clave|pwd|psw|mdp|pw|parola/,
  /key|token|phrase|answer|antwort|réponse|respuesta|risposta|card|cc|kart|tarjeta|carte|carta|cv[vcn]|csc|iban/,
  /code|códig|codig|codic|pr(ü|ue)f|crypto|mm ?\/|time|otp|2fa|mfa|tan|pin|geheim/), 'i');

const isSecret = el => secretKind(el, attr(el, 'aria-label') || '', null, true) !== '';

function secretKind(el, name, look, sure = false) {
  const type = el instanceof HTMLInputElement ? el.type : 'text';
  if (type === 'password') oncePassword.add(el);
  const once = oncePassword.has(el);
  const told = autocompleteKind(el);
  if (told) return told;
  // A password field for a card's check digits or a one-time code is named as what it is.
  const found = !once && NEVER_SECRET.has(type) ? '' : fieldKind(el, name) || (once ? 'password' : '');
  if (found) return found;
  if (isOneOfManyBoxes(el)) return 'code';
  return isMasked(look, el, sure) ? 'password' : '';
}

function autocompleteKind(el) {
  const autocomplete = attr(el, 'autocomplete');
  if (autocomplete) for (const [kind, pattern] of AUTOCOMPLETE_SECRETS) if (pattern.test(autocomplete)) return kind;
  return '';
}

const fieldWord = text => text === null ? '' : text.length > MAX_FACT ? text.slice(0, MAX_FACT) : text;
const fieldKind = (el, name) => wordsKind(fieldWord(attr(el, 'name')) + '|' + fieldWord(attr(el, 'id')),
  fieldWord(attr(el, 'placeholder')) + '|' + fieldWord(name));

// The same fields are looked at again and again; judging words is dear.
let judgedWords = new Map();

function wordsKind(written, shown) {
  const key = written + '||' + shown;
  let kind = judgedWords.get(key);
  if (kind === undefined) {
    if (judgedWords.size >= MAX_JUDGED_WORDS) judgedWords = new Map();
    judgedWords.set(key, kind = SECRET_STEMS.test(key) ? judgeWords(spaced(written), spaced(shown)) : '');
  }
  return kind;
}

const spaced = text => text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/[_\-.:;,*()[\]\s]+/g, ' ').toLowerCase();

function judgeWords(written, shown) {
  const both = written + '|' + shown;
  for (const [kind, pattern] of WORD_SECRETS) if (pattern.test(both)) return kind;
  if (WRITTEN_PASSWORD.test(written)) return 'password';
  if (SHOWN_CARD.test(shown)) return 'card';
  const isBare = text => BARE_CODE.test(text.trim());
  const seen = shown.split('|').filter(text => text.trim() !== '');
  return seen.every(isBare) && (seen.length > 0 || written.split('|').some(isBare)) ? 'code' : '';
}

// One box for each digit of a code: four to ten fields of one character side by side.
function isOneOfManyBoxes(el) {
  if (!(el instanceof HTMLInputElement) || el.maxLength !== 1) return false;
  for (let up = flatParent(el), level = 0; up && level < 3; up = flatParent(up), level += 1) {
    const boxes = queryAll(up, 'input[maxlength="1"]').length;
    if (boxes > 3) return boxes <= 10;
  }
  return false;
}

// Shown as dots: by style, or by a font of the page's own that has one picture for all characters. What looks like
// this may not be taken on trust where there is something to hide, unless that is so in hundreds of fields.
function isMasked(look, el, sure) {
  if (look !== null && look.unmasked >= TRUST && (!sure || --memo.masksAsked < 0)) return false;
  const style = styleOf(el);
  const masked = style.webkitTextSecurity !== 'none' || (memo.hasFonts && hidesText(style.fontFamily));
  if (look !== null) look.unmasked = masked ? -Infinity : look.unmasked + 1;
  return masked;
}
const pageFonts = getter(Document, 'fonts');

const masking = new Map();

function hidesText(families) {
  const family = families.split(',', 1)[0].trim();
  const known = masking.get(family);
  if (known !== undefined) return known;
  const plain = family.replace(/["']/g, '').toLowerCase();
  let isLoaded = false;
  for (const face of pageFonts.call(page)) {
    if (face.family.replace(/["']/g, '').toLowerCase() === plain) isLoaded = isLoaded || face.status === 'loaded';
  }
  // While it is not there the browser shows another one.
  if (!isLoaded) return false;
  const hides = looksAlike(family, 'i', 'W') || looksAlike(family, '1', '8');
  masking.set(family, hides);
  return hides;
}

function looksAlike(family, one, other) {
  const pen = new OffscreenCanvas(40, 40).getContext('2d', { willReadFrequently: true });
  pen.font = `20px ${family}`;
  if (pen.measureText(one).width !== pen.measureText(other).width) return false;
  const [a, b] = [one, other].map(letter => {
    pen.clearRect(0, 0, 40, 40);
    pen.fillText(letter, 8, 28);
    return pen.getImageData(0, 0, 40, 40).data;
  });
  return a.every((value, i) => value === b[i]);
}

// For one field outside of a walk: the kind of its secret, or ''. What has no name is called by what stands before it.
function secretOf(el) {
  const tag = tagOf(el);
  if (tag === 'input' ? UNTYPED.has(el.type) : tag !== 'textarea') {
    const host = tag === 'input' ? null : editingHost(el);
    return host ? secretKind(host, nameOf(host, roleOf(host)), null, true) : '';
  }
  const name = nameOf(el, roleOf(el, tag), tag);
  return secretKind(el, name, null, true) || (isBlank(name) ? hintedKind(nearbyText({ el, box: boxOf(el) })) : '');
}

// Fields that hold secrets, and frames with documents of others.
function secretParts() {
  const found = [];
  for (const root of allRoots()) {
    for (const el of queryAll(root, 'input,textarea,[contenteditable],iframe,frame,object,embed')) {
      const tag = tagOf(el);
      if (FRAME_TAGS.has(tag) ? isForeign(el, tag) : secretOf(el)) found.push(el);
    }
  }
  return found;
}
const FRAME_TAGS = wordSet('iframe frame object embed');

function isForeign(el, tag) {
  if (tag === 'embed') return has(el, 'src');
  try {
    return el.contentWindow !== null && el.contentWindow.origin !== self.origin;
  } catch {
    return true;
  }
}

const hintedKind = hint => hint ? wordsKind('', hint) : '';

function editingHost(el) {
  if (el.isContentEditable !== true) return null;
  for (let up = el; up; up = flatParent(up)) if (isEditableRoot(up)) return up;
  return el;
}

// A password field may be swapped for a plain one before anybody looks.
new MutationObserver(records => {
  for (const { target, oldValue } of records) if (/^password$/i.test(oldValue)) oncePassword.add(target);
}).observe(page, { subtree: true, attributes: true, attributeFilter: ['type'], attributeOldValue: true });
