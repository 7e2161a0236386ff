/**
 * Draws the wiring of an encoding: inputs on the left, auxiliaries in the order in which they depend on each other, and
 * the clauses that enforce the bound as dashed links. Without auxiliaries, the inputs stand on a circle and every
 * clause of two literals is a chord.
 *
 * Pointing at a variable lights it up here and in the list of clauses. With the keyboard, the list does the same; the
 * picture itself is one image for a screen reader, described by its units.
 */

import { h, svg } from './dom.js';
import { picture } from './picture.js';
import { layout } from './encodings-wiring.js';

const MOST = 180;
const MOST_LINKS = 120;

/**
 * The drawing.
 * @param {number[][]} clauses
 * @param {Object} wired from `wiring`
 * @param {Map<number, {name: string, input: boolean, role: string}>} names
 * @param {(variable: number|null) => void} pointed
 * @returns {{element: Element, highlight: (variable: number|null) => void}}
 */
export function structure(clauses, wired, names, pointed) {
  const nothing = (text) => ({ element: h('p', {}, text), highlight: () => {} });
  if (names.size > MOST) return nothing(`${names.size} variables are too many for a picture. Choose a smaller n.`);
  if (wired.units.length) return board(wired, names, pointed);
  if (clauses.length && clauses.every((clause) => clause.length === 2)) {
    return circle(wired, names, pointed);
  }
  return nothing('There is nothing to draw: this encoding has no auxiliary variables. Its clauses are about the '
    + 'inputs alone.');
}

/** A variable as a round or square spot with its name. */
function spot(variable, place, names, pointed) {
  const { name, input, role } = names.get(variable);
  return svg('g', {
    class: `enc-spot${input ? '' : ' enc-aux'}`, transform: `translate(${place.x} ${place.y})`,
    on: { pointerenter: () => pointed(variable), pointerleave: () => pointed(null) },
  }, input ? svg('circle', { r: 12 }) : svg('rect', { x: -18, y: -10, width: 36, height: 20, rx: 3 }),
  svg('text', { 'text-anchor': 'middle', y: 4 }, name), svg('title', {}, input ? `input ${name}` : `${name}: ${role}`));
}

/** Links by variable, so that all that touch one can be lit. */
class Links {
  #of = new Map();

  add(element, variables) {
    for (const variable of variables) {
      if (!this.#of.has(variable)) this.#of.set(variable, []);
      this.#of.get(variable).push(element);
    }
    return element;
  }

  light(variable, drawing) {
    for (const lit of drawing.querySelectorAll('.enc-link-lit')) lit.classList.remove('enc-link-lit');
    for (const link of this.#of.get(variable) ?? []) link.classList.add('enc-link-lit');
    drawing.classList.toggle('enc-link-one', variable !== null && this.#of.has(variable));
  }
}

function finish(drawing, links, spots, text) {
  return {
    element: h('div', {}, h('div', { class: 'scroll', role: 'region', tabindex: 0, 'aria-label': 'Drawing' }, drawing),
      h('p', { class: 'enc-key' }, text)),
    highlight(variable) {
      links.light(variable, drawing);
      for (const [other, element] of spots) element.classList.toggle('enc-spot-lit', other === variable);
    },
  };
}

/** Units in columns. */
function board(wired, names, pointed) {
  const { places, boxes, width, height } = layout(wired);
  const links = new Links();
  const lines = svg('g', { class: 'enc-links' });
  wired.units.forEach((unit, index) => {
    for (const { source, end, outputs } of ends(unit, boxes[index], places, wired.sources)) {
      const from = places.get(source);
      const start = from.x + (names.get(source).input ? 12 : 18);
      const bend = Math.max(24, (end.x - start) / 2);
      lines.append(links.add(svg('path', {
        d: `M${start} ${from.y}C${start + bend} ${from.y} ${end.x - bend} ${end.y} ${end.x} ${end.y}`,
      }), [source, ...outputs]));
    }
  });
  const bounds = svg('g', { class: 'enc-bounds' });
  const drawn = wired.bounds.length <= MOST_LINKS ? wired.bounds : [];
  for (const clause of drawn) bounds.append(...boundLinks(clause, places, links));
  const rectangles = boxes.map((box) =>
    svg('rect', { class: 'enc-unit', x: box.x, y: box.y, width: 50, height: box.height, rx: 6 }));
  const spots = new Map([...places].map(([variable, place]) => [variable, spot(variable, place, names, pointed)]));
  const drawing = picture('enc-structure', {
    width, height, class: 'enc-structure', title: 'How the auxiliaries are made', text: words(wired, names),
  }, ...rectangles, lines, bounds, ...spots.values());
  const text = `Circles are inputs, squares auxiliaries. A box holds auxiliaries that are made together. Dashed: the `
    + `${wired.bounds.length} ${wired.bounds.length === 1 ? 'clause' : 'clauses'} that enforce the bound`
    + `${drawn.length < wired.bounds.length ? ' (too many to draw)' : ''}.`;
  return finish(drawing, links, spots, text);
}

/** Where the links of a unit end: at its box if each output is made from all its sources, otherwise at the outputs. */
function ends(unit, box, places, sources) {
  if (unit.outputs.every((output) => sources.get(output).size === unit.sources.length)) {
    const end = { x: box.x, y: box.y + box.height / 2 };
    return unit.sources.map((source) => ({ source, end, outputs: unit.outputs }));
  }
  return unit.outputs.flatMap((output) => [...sources.get(output)].map((source) => ({
    source, end: { x: places.get(output).x - 18, y: places.get(output).y }, outputs: [output],
  })));
}

/** A clause that enforces: a ring for one literal, an arc for two, a star around a dot for more. */
function boundLinks(clause, places, links) {
  const variables = clause.map(Math.abs);
  const at = variables.map((variable) => places.get(variable));
  if (at.length === 1) return [links.add(svg('circle', { cx: at[0].x, cy: at[0].y, r: 21 }), variables)];
  if (at.length === 2) {
    const [a, b] = at;
    const [edge, bend] = Math.abs(a.x - b.x) < 1 ? [18, 40] : [0, 0];
    return [links.add(svg('path', {
      d: `M${a.x + edge} ${a.y}Q${(a.x + b.x) / 2 + edge + bend} ${(a.y + b.y) / 2} ${b.x + edge} ${b.y}`,
    }), variables)];
  }
  const mean = (axis) => (at.reduce((sum, one) => sum + one[axis], 0) / at.length).toFixed(1);
  const middle = `${mean('x')} ${mean('y')}`;
  return [links.add(svg('path', {
    d: at.map((one) => `M${one.x} ${one.y}L${middle}`).join(''),
  }), variables)];
}

/** Inputs on a circle, a chord for each clause. */
function circle(wired, names, pointed) {
  const count = wired.inputs.length;
  const radius = Math.max(70, count * 6);
  const size = 2 * radius + 40;
  const places = new Map(wired.inputs.map((input, at) => [input, {
    x: Math.round(size / 2 + radius * Math.sin((2 * Math.PI * at) / count)),
    y: Math.round(size / 2 - radius * Math.cos((2 * Math.PI * at) / count)),
  }]));
  const links = new Links();
  const bounds = svg('g', { class: 'enc-bounds' });
  for (const clause of wired.bounds) {
    const [a, b] = clause.map((literal) => places.get(Math.abs(literal)));
    bounds.append(links.add(svg('path', { d: `M${a.x} ${a.y}L${b.x} ${b.y}` }), clause.map(Math.abs)));
  }
  const spots = new Map([...places].map(([variable, place]) => [variable, spot(variable, place, names, pointed)]));
  const drawing = picture('enc-structure', {
    width: size, height: size, class: 'enc-structure', title: 'Which inputs share a clause',
    text: `${count} inputs on a circle; ${wired.bounds.length} clauses of two inputs are chords.`,
  }, bounds, ...spots.values());
  return finish(drawing, links, spots, 'Circles are inputs. A dashed line is a clause of two literals.');
}

/** The drawing in words, unit by unit, for a screen reader. */
function words(wired, names) {
  const of = (variables) => variables.map((variable) => names.get(variable).name).join(', ');
  const units = wired.units.slice(0, 40).map((unit) => `${of(unit.outputs)} from ${of(unit.sources)}`);
  const rest = wired.units.length - units.length;
  const more = rest ? `; and ${rest} more units` : '';
  return `${units.join('; ')}${more}. ${wired.bounds.length} clauses enforce the bound.`;
}
