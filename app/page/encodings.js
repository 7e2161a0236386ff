/**
 * The Encodings tab: what a rule such as “at most 2 of 8” becomes, by every encoding of the crate.
 *
 * From top to bottom: the rule; its sizes in a table; sizes plotted over n or k; the clauses of one encoding with a
 * drawing; the rule about literals of one's own. One rule holds for all parts, and every change is answered at once:
 * there is no button to press before the first picture.
 */
import { button, h, select } from './dom.js';
import { clauseList, namesOf } from './encodings-clauses.js';
import { dimacsPart } from './encodings-dimacs.js';
import { Looks } from './encodings-lines.js';
import { numbers, plot } from './encodings-plot.js';
import { drawing } from './encodings-drawing.js';
import { bound, constraintOf, ruleForm, sentence } from './encodings-rule.js';
import { sizeTable } from './encodings-table.js';
import { MOST_COUNTED, grouped, latest, settled } from './picture.js';

const MEASURES = [['clauses', 'clauses'], ['variables', 'auxiliary variables'], ['literals', 'literals'],
  ['micros', 'time to encode (µs)']];
/** The largest n whose clauses are shown. */
const MOST_INSIDE = 64;
const LEAD = 'A SAT solver reads clauses only. A rule such as “at most 2 of these 8 literals are true”, or a bound on '
  + 'a sum of weights, must become clauses first, and there are many ways. They differ in size, and in how much a '
  + 'solver finds by unit propagation alone. Change the rule and see.';
const GAC = 'GAC, generalised arc consistent: whatever follows from the rule and the literals that are known, unit '
  + 'propagation finds, without any search. The inputs are not counted among the variables.';

export async function start(root, tools) {
  const encodings = inOrder(await tools.ask('encodings/list', {}));
  const looks = new Looks();
  const sentences = new Map(encodings.map((one) => [one.name, one.about]));
  const plots = plotPart(tools, looks);
  const table = sizeTable((name) => plots.highlight(name));
  const inside = insidePart(tools);
  const form = ruleForm(encodings, () => update());
  const dimacs = dimacsPart(tools, form.read);
  let failed = false;
  const once = latest((problem) => {
    failed = true;
    tools.fail(problem);
  });

  const show = () => once(async (signal) => {
    const rule = form.read();
    const names = form.chosen();
    looks.keep(names);
    dimacs.update(names);
    inside.update(rule, names);
    plots.update(rule, names);
    const sizes = (some) => tools.ask('encodings/sizes',
      { ...constraintOf(rule), n: [rule.n], encodings: some, time: true }, { signal });
    const tell = (rows) => table.update({ caption: `${sentence(rule)}, by encoding`, sentences, looks }, rows);
    if (rule.weights) tell(await oneByOne(names, sizes, tell));
    else tell((await sizes(names)).rows);
    if (failed) tools.clear(); // only what this question has said: another part may have a problem of its own
    failed = false;
  });
  const update = settled(show);

  root.replaceChildren(h('div', { class: 'enc-all' },
    h('p', { class: 'enc-lead', text: LEAD }),
    form.element,
    h('section', { class: 'card', 'aria-labelledby': 'enc-sizes-title' },
      h('h2', { id: 'enc-sizes-title', text: 'How large is it?' }), table.element,
      h('p', { class: 'note', text: GAC })),
    plots.element, inside.element, dimacs.element));
  await show();
}

/** A value as the plot takes it: sizes beyond what the library counts, 2⁶⁴ − 1, are not known. */
const drawn = (value) => (value === undefined || value >= MOST_COUNTED ? null : value);

/** Sizes of one encoding after the other, shown as they come: planning sums of weights may take long. */
async function oneByOne(names, sizes, tell) {
  const rows = [];
  for (const name of names) {
    try {
      rows.push(...(await sizes([name])).rows);
    } catch (problem) {
      if (problem.status !== 504) throw problem;
      rows.push({ encoding: name, clauses: null, refused: 'not planned in 10 seconds' });
    }
    tell(rows);
  }
  return rows;
}

/** All encodings in one list, each with its family; those of any k first. */
const inOrder = (families) => ['card', 'amo', 'pb'].flatMap((family) =>
  (families[family] ?? []).map((one) => ({ ...one, family })));

/** The part with the plot. */
function plotPart(tools, looks) {
  const over = select('enc-over', [['n', 'n'], ['k', 'k']], 'n', () => update());
  const measure = select('enc-measure', MEASURES, 'clauses', () => update());
  const most = select('enc-most', [['64', '64'], ['256', '256'], ['1024', '1,024'], ['10000', '10,000']], '256',
    () => update());
  const place = h('div', { class: 'enc-plot-place' });
  const legend = h('ul', { class: 'enc-legend', 'aria-label': 'Lines' });
  const value = h('p', { class: 'enc-value', text: 'Point at the plot to read its values.' });
  const table = h('div', { class: 'scroll', role: 'region', tabindex: 0, 'aria-label': 'The plot’s numbers' });
  const mostField = h('span', {}, h('label', { for: 'enc-most', text: 'up to' }), ' ', most);
  const once = latest(tools.fail);
  let rule = null;
  let names = [];
  let shown = null;
  let what = null;

  const redraw = () => {
    if (!what || !place.clientWidth) return;
    what.width = Math.max(300, Math.min(900, place.clientWidth));
    shown = plot(what);
    place.replaceChildren(shown.element);
  };
  const update = () => once(async (signal) => {
    const { rows, sum } = await sizesOver(tools, { rule, names, over: over.value, most: Number(most.value),
      time: measure.value === 'micros', signal });
    mostField.hidden = over.value === 'k';
    const title = `${MEASURES.find(([key]) => key === measure.value)[1]} of ${over.value === 'n'
      ? `${sentence({ ...rule, n: 'n' })}` : sentence({ ...rule, k: 'k' })}`;
    what = {
      id: 'enc-plot', title: title[0].toUpperCase() + title.slice(1), over: over.value, looks,
      measure: MEASURES.find(([key]) => key === measure.value)[1],
      marked: over.value === 'n' ? rule.n : bound(rule.k, sum),
      lines: names.map((name) => ({
        name,
        points: rows.filter((row) => row.encoding === name)
          .map((row) => ({ at: row[over.value], value: drawn(row[measure.value]) })),
      })),
    };
    legend.replaceChildren(...names.map((name) => h('li', { on: {
      pointerenter: () => highlight(name), pointerleave: () => highlight(null),
    } }, looks.sample(name), name)));
    table.replaceChildren(numbers(what));
    redraw();
  });
  const highlight = (name) => shown?.highlight(name);
  place.addEventListener('pointermove', (event) => {
    const at = shown?.nearest(event.clientX) ?? null;
    if (at === null) return;
    value.textContent = `${what.over} = ${grouped(at)}: ${what.lines.map((line) => {
      const found = line.points.find((point) => point.at === at)?.value ?? null;
      return `${line.name} ${found === null ? '–' : grouped(found)}`;
    }).join(', ')}`;
  });
  new ResizeObserver(settled(redraw, 100)).observe(place);
  return {
    element: h('section', { class: 'card', 'aria-labelledby': 'enc-plot-head' },
      h('h2', { id: 'enc-plot-head', text: 'How does it grow?' }),
      h('p', { class: 'buttons' }, h('label', { for: 'enc-measure', text: 'Plot' }), measure,
        h('label', { for: 'enc-over', text: 'over' }), over, mostField),
      place, value, legend,
      h('details', {}, h('summary', { text: 'The same numbers as a table' }), table)),
    highlight,
    update(nextRule, nextNames) {
      rule = nextRule;
      names = nextNames;
      update();
    },
  };
}

/** The steps of the plot: 1, 2, 3, 4, 6, 8, 12, … */
function steps(from, to) {
  const all = [];
  for (let step = 1; step <= to; step *= 2) all.push(step, ...(step > 1 ? [1.5 * step] : []));
  return [...all.filter((step) => step >= from && step < to), ...(to >= from ? [to] : [])];
}

/** Sizes over n, in one question, or over k, in one for each; and the largest k for n literals, the sum of weights. */
async function sizesOver(tools, { rule, names, over, most, time, signal }) {
  const ask = async (k, n) => (await tools.ask('encodings/sizes',
    { ...constraintOf(rule), k, n, encodings: names, time: time && k !== 'n' }, { signal })).rows;
  if (!names.length) return { rows: [], sum: rule.n };
  if (over === 'n') {
    const least = Math.max(4, !rule.weights && /^\d+$/.test(rule.k) ? Number(rule.k) + 1 : 0);
    return { rows: await ask(rule.k, steps(least, most)), sum: rule.n };
  }
  const [{ sum }] = await ask('n', [rule.n]);
  const rows = [];
  for (const k of steps(1, sum - 1)) rows.push(...(await ask(String(k), [rule.n])));
  return { rows, sum };
}

/** The part that looks inside one encoding. */
function insidePart(tools) {
  const encoding = select('enc-inside-encoding', [], '', () => show());
  const summary = h('p', { class: 'enc-summary' });
  const place = h('div', { class: 'enc-inside' });
  const once = latest((problem) => {
    summary.textContent = problem.error;
    place.replaceChildren();
  });
  let rule = null;

  const show = () => once(async (signal) => {
    if (rule.n > MOST_INSIDE || !encoding.value) {
      summary.textContent = encoding.value ? `Clauses are shown up to n = ${MOST_INSIDE}.` : 'Choose an encoding.';
      place.replaceChildren();
      return;
    }
    const asked = { ...constraintOf(rule), n: rule.n, encoding: encoding.value };
    const [answer, { svg }] = await Promise.all([
      tools.ask('encodings/clauses', asked, { signal }),
      tools.ask('encodings/svg', { constraint: asked, dark: tools.theme.current() === 'dark' }, { signal }),
    ]);
    const names = namesOf(answer.variables);
    const auxiliaries = names.size - rule.n;
    const literals = answer.clauses.reduce((sum, clause) => sum + clause.length, 0);
    const enforcing = answer.enforces.filter(Boolean).length;
    summary.textContent = `${sentence(rule)}: ${grouped(answer.clauses.length)} clauses, of which `
      + `${grouped(enforcing)} enforce the bound and the others define; ${grouped(literals)} literals, `
      + `${grouped(auxiliaries)} auxiliary variables.`;
    const drawn = drawing(svg, names, (variable) => {
      list.highlight(variable);
      drawn.highlight(variable);
    });
    const list = clauseList(answer.clauses, names, (variable) => drawn.highlight(variable));
    place.replaceChildren(
      h('div', { class: 'enc-drawing' }, h('h3', { text: 'How it is built' }), drawn.element,
        button('enc-svg', 'Save SVG', () => tools.download('encoding.svg', 'image/svg+xml', svg))),
      h('div', { class: 'enc-listing' }, h('h3', { text: 'The clauses' }), list.element));
  });
  tools.theme.onChange(() => rule && show());
  return {
    element: h('section', { class: 'card', 'aria-labelledby': 'enc-inside-title' },
      h('h2', { id: 'enc-inside-title', text: 'What is inside?' }),
      h('p', { class: 'buttons' }, h('label', { for: 'enc-inside-encoding', text: 'Encoding' }), encoding),
      summary, place),
    update(nextRule, names) {
      rule = nextRule;
      const before = encoding.value;
      encoding.replaceChildren(...names.map((name) => h('option', { value: name, text: name })));
      const wished = [before, 'card:totalizer', 'amo:product', 'pb:generalized-totalizer'];
      encoding.value = wished.find((name) => names.includes(name)) ?? names[0] ?? '';
      show();
    },
  };
}
