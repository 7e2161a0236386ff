/**
 * The plot: one measure of all chosen encodings over n or k, both axes logarithmic.
 *
 * A power law is a straight line here, and its slope is the power: n² climbs twice as steeply as n. Zero (an encoding
 * without auxiliaries) has no logarithm, so it stands on a line of its own below 1. The table beside the plot has the
 * same numbers for those who cannot see it.
 */

import { h, svg } from './dom.js';
import { grouped, picture } from './picture.js';

const LEFT = 62;
const RIGHT = 14;
const TOP = 12;
const BOTTOM = 46;

/** Ticks of a logarithmic axis: powers of ten, and 2 and 5 between them where there is room. */
export function ticks(least, most) {
  const all = [];
  const decades = Math.log10(most / least);
  for (let power = Math.floor(Math.log10(least)); 10 ** power <= most; power += 1) {
    for (const step of decades > 3 ? [1] : decades > 1.5 ? [1, 3] : [1, 2, 5]) {
      const at = step * 10 ** power;
      if (at >= least * 0.999 && at <= most * 1.001) all.push(Number(at.toPrecision(2)));
    }
  }
  return all;
}

const short = (value) => {
  if (value >= 1e6) return `${value / 1e6} M`;
  return grouped(value);
};

/** The range of all values that are there, widened to at least a factor of ten upwards. */
function range(values) {
  const positive = values.filter((value) => value > 0);
  if (!positive.length) return { least: 1, most: 10, zero: true };
  const least = Math.min(...positive);
  return { least, most: Math.max(...positive, least * 10), zero: values.some((value) => value === 0) };
}

/**
 * Draws the plot.
 * @param {{id: string, width: number, title: string, over: string, measure: string, looks: Looks,
 *   lines: {name: string, points: {at: number, value: number|null}[]}[], marked: number|null}} what `marked` is where
 *   the rule of the form stands on the axis
 * @returns {{element: SVGElement, nearest: (x: number) => number|null, highlight: (name: string|null) => void}}
 */
export function plot(what) {
  const { width, lines } = what;
  const height = Math.round(Math.min(420, Math.max(280, width * 0.6)));
  const at = lines.flatMap((line) => line.points.map((point) => point.at));
  const x = range(at);
  if (new Set(at).size > 1) x.most = Math.max(...at);
  const y = range(lines.flatMap((line) => line.points.map((point) => point.value)).filter((value) => value !== null));
  const zeroBand = y.zero ? 26 : 0;
  const scale = (value, from, low, high) =>
    low + (Math.log(value / from.least) / Math.log(from.most / from.least)) * (high - low);
  const across = (value) => scale(value, x, LEFT + 8, width - RIGHT - 8);
  const up = (value) => (value === 0 ? height - BOTTOM - 8 : scale(value, y, height - BOTTOM - 8 - zeroBand, TOP + 8));

  const axes = svg('g', { class: 'enc-axes' },
    svg('path', { d: `M${LEFT} ${TOP}V${height - BOTTOM}H${width - RIGHT}` }));
  for (const value of ticks(x.least, x.most)) {
    axes.append(svg('path', { class: 'enc-grid', d: `M${across(value)} ${TOP}V${height - BOTTOM}` }),
      svg('text', { x: across(value), y: height - BOTTOM + 16, 'text-anchor': 'middle' }, short(value)));
  }
  for (const value of [...(y.zero ? [0] : []), ...ticks(y.least, y.most)]) {
    axes.append(svg('path', { class: 'enc-grid', d: `M${LEFT} ${up(value)}H${width - RIGHT}` }),
      svg('text', { x: LEFT - 6, y: up(value) + 4, 'text-anchor': 'end' }, short(value)));
  }
  axes.append(
    svg('text', { x: (LEFT + width) / 2, y: height - 8, 'text-anchor': 'middle', class: 'enc-axis-name' }, what.over),
    svg('text', {
      class: 'enc-axis-name', 'text-anchor': 'middle',
      transform: `translate(13 ${(TOP + height - BOTTOM) / 2}) rotate(-90)`,
    }, what.measure));

  const guide = svg('path', { class: 'enc-guide', visibility: 'hidden' });
  const marked = what.marked !== null && what.marked >= x.least && what.marked <= x.most
    ? svg('path', { class: 'enc-here', d: `M${across(what.marked)} ${TOP}V${height - BOTTOM}` }) : null;
  const groups = new Map(lines.map((line) => [line.name, lineOf(line, what.looks, across, up)]));
  const drawing = picture(what.id, { width, height, title: what.title, text: describe(what), class: 'enc-plot' },
    axes, marked, guide, ...groups.values());

  const places = [...new Set(at)];
  return {
    element: drawing,
    nearest(clientX) {
      const box = drawing.getBoundingClientRect();
      const here = ((clientX - box.left) / box.width) * width;
      const best = places.reduce((found, place) => (found === null
        || Math.abs(across(place) - here) < Math.abs(across(found) - here) ? place : found), null);
      if (best !== null) {
        guide.setAttribute('d', `M${across(best)} ${TOP}V${height - BOTTOM}`);
        guide.setAttribute('visibility', 'visible');
      }
      return best;
    },
    highlight(name) {
      drawing.classList.toggle('enc-one', name !== null && groups.has(name));
      for (const [other, group] of groups) group.classList.toggle('enc-chosen', other === name);
    },
  };
}

/** One line with its markers; it is broken where a size is not known or an encoding was refused. */
function lineOf(line, looks, across, up) {
  const look = looks.of(line.name);
  let path = '';
  let pen = 'M';
  const markers = [];
  for (const { at, value } of line.points) {
    if (value === null) {
      pen = 'M';
      continue;
    }
    path += `${pen}${across(at).toFixed(1)} ${up(value).toFixed(1)}`;
    pen = 'L';
    markers.push(svg('path', {
      d: look.marker, class: 'enc-marker', transform: `translate(${across(at).toFixed(1)} ${up(value).toFixed(1)})`,
    }));
  }
  return svg('g', { class: `enc-curve ${look.class}`, 'data-name': line.name },
    svg('path', { d: path || 'M0 0', class: 'enc-line', 'stroke-dasharray': look.dash }), ...markers);
}

/** The plot in a sentence for each line: first and last value. */
function describe(what) {
  const sentences = what.lines.map((line) => {
    const known = line.points.filter((point) => point.value !== null);
    if (!known.length) return `${line.name}: no values.`;
    const [first, last] = [known[0], known[known.length - 1]];
    return `${line.name}: from ${grouped(first.value)} at ${first.at} to ${grouped(last.value)} at ${last.at}.`;
  });
  return `Both axes are logarithmic. ${sentences.join(' ')} The table below the plot has all values.`;
}

/** The table of the plot's numbers: a row for each place, a column for each encoding. */
export function numbers(what) {
  const places = [...new Set(what.lines.flatMap((line) => line.points.map((point) => point.at)))].sort((a, b) => a - b);
  const cell = (line, place) => {
    const value = line.points.find((point) => point.at === place)?.value ?? null;
    return h('td', {}, value === null ? '–' : grouped(value));
  };
  return h('table', { class: 'enc-numbers' },
    h('caption', {}, what.title),
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, what.over),
      ...what.lines.map((line) => h('th', { scope: 'col' }, line.name)))),
    h('tbody', {}, ...places.map((place) => h('tr', {}, h('th', { scope: 'row' }, grouped(place)),
      ...what.lines.map((line) => cell(line, place))))));
}
