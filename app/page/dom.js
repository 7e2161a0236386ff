/**
 * Making elements. Text goes in as text, never as HTML, so nothing that the server or a user says can become markup.
 * Styles are set through the object model: the page's policy forbids style attributes.
 */

/**
 * An element. Attributes: `class`, `text`, `on` (an object of listeners), `style` (an object of custom properties or
 * properties), `dataset`, boolean attributes by `true`/`false`; everything else is set as an attribute.
 *
 * @param {string} tag the element's name
 * @param {Object<string, any>} [attributes]
 * @param {...(Node|string|null|undefined|false)} children
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  return dress(document.createElement(tag), attributes, children);
}

/**
 * An SVG element; as {@link h}.
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  return dress(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function dress(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'class') element.setAttribute('class', value);
    else if (name === 'text') element.textContent = value;
    else if (name === 'on')
      Object.entries(value).forEach(([event, listener]) => element.addEventListener(event, listener));
    else if (name === 'style') Object.entries(value).forEach(([key, css]) => element.style.setProperty(key, css));
    else if (name === 'dataset') Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** A button. `kind` is '' (ordinary), 'main' (the one thing to do here), 'plain' (no frame), 'small'. */
export function button(id, text, listener, { kind = '', title = null, pressed = null } = {}) {
  const attributes = { type: 'button', id, class: kind, title, text, on: { click: listener } };
  if (pressed !== null) attributes['aria-pressed'] = String(pressed);
  return h('button', attributes);
}

/** A labelled control: the label stands over it, or beside it. `control` must have an id. */
export function field(label, control, { note = null, wide = false, beside = false } = {}) {
  const about = note && h('span', { class: 'note', id: `${control.id}-note`, text: note });
  if (about) control.setAttribute('aria-describedby', about.id);
  return h(
    'div',
    { class: `field${wide ? ' wide' : ''}${beside ? ' beside' : ''}` },
    h('label', { for: control.id, text: label }),
    control,
    about,
  );
}

/** A button whose text is a sign, with a name. */
export function named(id, text, name, act) {
  const made = button(id, text, act);
  made.setAttribute('aria-label', name);
  return made;
}

/** A field for a whole number. */
export function number(id, value, least, most, attributes = {}) {
  return h('input', {
    id,
    type: 'number',
    value,
    min: least,
    max: most,
    step: 1,
    inputmode: 'numeric',
    ...attributes,
  });
}

/** A list to choose from; `options` are [value, text]. */
export function select(id, options, chosen, listener = null) {
  const list = h('select', { id }, ...options.map(([value, text]) => h('option', { value, text })));
  list.value = chosen;
  if (listener) list.addEventListener('change', listener);
  return list;
}

/** A box to tick. */
export function tick(id, label, checked, listener) {
  const box = h('input', { id, type: 'checkbox', on: { change: () => listener(box.checked) } });
  box.checked = checked;
  return h('label', { class: 'tick', for: id }, box, h('span', { text: label }));
}

/** A field for the seed of something new: empty, it is drawn by lot. */
export function seedField(id) {
  return number(id, '', 0, Number.MAX_SAFE_INTEGER, { placeholder: 'by lot' });
}

/** The seed of such a field, or one by lot: up to six digits, which can be told to others. */
export function seedOf(input) {
  return input.value.trim() === '' ? Math.floor(Math.random() * 1_000_000) : whole(input, 'Seed');
}

/** Fields that few need, behind a word. */
export function more(id, ...fields) {
  return h('details', { id, class: 'more' }, h('summary', { text: 'More' }), h('div', { class: 'fields' }, ...fields));
}

/** Choices of which one holds, as radio buttons that look like one bar. `options` are [value, text]. */
export function bar(name, label, options, chosen, listener) {
  const items = options.map(([value, text]) => {
    const radio = h('input', { type: 'radio', name, id: `${name}-${value}`, value });
    radio.checked = value === chosen;
    radio.addEventListener('change', () => radio.checked && listener(value));
    return h('label', { for: radio.id }, radio, h('span', { text }));
  });
  return h(
    'fieldset',
    { class: 'bar', id: name },
    h('legend', { text: label }),
    h('div', { class: 'bar-items' }, ...items),
  );
}

/**
 * The whole number in a field, or the reason why there is none.
 * @returns {number}
 * @throws {{error: string, where: string, status: number}} if it is none or out of range
 */
export function whole(input, name) {
  const value = Number(input.value);
  const [least, most] = [Number(input.min), Number(input.max)];
  if (input.value.trim() === '' || !Number.isInteger(value) || value < least || value > most) {
    input.focus();
    const found = input.value.trim() || 'nothing';
    throw { error: `${name} is a whole number from ${least} to ${most}; found ${found}.`, where: name, status: 0 };
  }
  return value;
}

/** What keys do, to be opened by whoever wants to know; a board is described by it (`aria-describedby`). */
export function keys(id, text) {
  const words = text.replace(/\s+/g, ' ');
  return h('details', { class: 'keys' }, h('summary', { text: 'Keys' }), h('p', { id, text: words }));
}

/** Hears of text that is pasted anywhere in `root` but into a field. */
export function onPaste(root, listener) {
  root.addEventListener('paste', (event) => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (text.trim() === '' || event.target.closest?.('input, textarea, select')) return;
    event.preventDefault();
    listener(text);
  });
}
