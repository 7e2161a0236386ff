/**
 * The drawing of an encoding: the picture that the library makes of its clauses, with variables that light up.
 *
 * Nothing is laid out here. A node of the picture has the number of its variable as `data-variable`, a line those of
 * its ends as `data-between`. With the keyboard, the list of clauses does the same; the picture itself is one image for
 * a screen reader, described in words.
 */
import { h } from './dom.js';

/** More variables than these are too many to be told apart, and slow to light. */
const MOST = 400;

/**
 * The drawing.
 * @param {string} text the picture, an SVG document
 * @param {Map<number, object>} names by variable
 * @param {(variable: number|null) => void} pointed
 * @returns {{element: Element, highlight: (variable: number|null) => void}}
 */
export function drawing(text, names, pointed) {
  if (names.size > MOST) {
    const many = `${names.size} variables are too many for a picture here. Choose a smaller n, or save the picture.`;
    return { element: h('p', {}, many), highlight: () => {} };
  }
  const picture = document.importNode(new DOMParser().parseFromString(text, 'image/svg+xml').documentElement, true);
  picture.setAttribute('class', 'enc-structure');
  const nodes = new Map();
  for (const node of picture.querySelectorAll('[data-variable]')) {
    const variable = Number(node.dataset.variable);
    nodes.set(variable, node);
    node.addEventListener('pointerenter', () => pointed(variable));
    node.addEventListener('pointerleave', () => pointed(null));
  }
  const lines = new Map([...nodes.keys()].map((variable) => [variable, []]));
  for (const line of picture.querySelectorAll('[data-between]')) {
    for (const end of line.dataset.between.split(' ')) lines.get(Number(end))?.push(line);
  }
  let lit = [];
  return {
    element: h('div', { class: 'scroll', role: 'region', tabindex: 0, 'aria-label': 'Drawing' }, picture),
    highlight(variable) {
      for (const element of lit) element.classList.remove('enc-lit-part');
      lit = nodes.has(variable) ? [nodes.get(variable), ...lines.get(variable)] : [];
      for (const element of lit) element.classList.add('enc-lit-part');
      picture.classList.toggle('enc-one-lit', lit.length > 1);
    },
  };
}
