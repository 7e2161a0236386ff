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
import { rolesOf } from './encodings-roles.js';
import { bound, ruleForm, sentence } from './encodings-rule.js';
import { structure } from './encodings-structure.js';
import { sizeTable } from './encodings-table.js';
import { wiring } from './encodings-wiring.js';
import { MOST_COUNTED, grouped, latest, settled } from './picture.js';

const MEASURES = [['clauses', 'clauses'], ['variables', 'auxiliary variables'], ['literals', 'literals'],
  ['micros', 'time to encode (µs)']];
/** The largest n whose clauses are shown. */
const MOST_INSIDE = 64;
const LEAD = 'A SAT solver reads clauses only. A rule such as “at most 2 of these 8 literals are true” must become '
  + 'clauses first, and there are many ways. They differ in size, and in how much a solver finds by unit propagation '
  + 'alone. Change the rule and see.';
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
    const { rows } = await tools.ask('encodings/sizes', {
      relation: rule.relation, k: rule.k, n: [rule.n], encodings: names, time: true,
    }, { signal });
    if (failed) tools.clear(); // only what this question has said: another part may have a problem of its own
    failed = false;
    table.update({ caption: `${sentence(rule)}, by encoding`, sentences, looks }, rows);
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
    const rows = await sizesOver(tools, { rule, names, over: over.value, most: Number(most.value),
      time: measure.value === 'micros', signal });
    mostField.hidden = over.value === 'k';
    const title = `${MEASURES.find(([key]) => key === measure.value)[1]} of ${over.value === 'n'
      ? `${sentence({ ...rule, n: 'n' })}` : sentence({ ...rule, k: 'k' })}`;
    what = {
      id: 'enc-plot', title: title[0].toUpperCase() + title.slice(1), over: over.value, looks,
      measure: MEASURES.find(([key]) => key === measure.value)[1],
      marked: over.value === 'n' ? rule.n : bound(rule.k, rule.n),
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

/** Sizes over n, in one question, or over k, in one for each k. */
async function sizesOver(tools, { rule, names, over, most, time, signal }) {
  const steps = (from, to) => [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 2048,
    4096, 10000].filter((step) => step >= from && step <= to);
  const ask = (k, n) =>
    tools.ask('encodings/sizes', { relation: rule.relation, k, n, encodings: names, time }, { signal });
  if (!names.length) return [];
  if (over === 'n') {
    const least = Math.max(4, /^\d+$/.test(rule.k) ? Number(rule.k) + 1 : 0);
    return (await ask(rule.k, steps(least, most))).rows;
  }
  const rows = [];
  for (const k of steps(1, rule.n - 1)) rows.push(...(await ask(String(k), [rule.n])).rows);
  return rows;
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

  /** Saves the picture that the library draws of the same clauses. */
  const save = async ({ relation, n, k, encoding: named }) => {
    try {
      const dark = tools.theme.current() === 'dark';
      const { svg } = await tools.ask('encodings/svg', { constraint: { relation, n, k, encoding: named }, dark });
      tools.download('encoding.svg', 'image/svg+xml', svg);
    } catch (problem) {
      tools.fail(problem);
    }
  };
  const show = () => once(async (signal) => {
    if (rule.n > MOST_INSIDE || !encoding.value) {
      summary.textContent = encoding.value ? `Clauses are shown up to n = ${MOST_INSIDE}.` : 'Choose an encoding.';
      place.replaceChildren();
      return;
    }
    const asked = { ...rule, encoding: encoding.value };
    const answer = await tools.ask('encodings/clauses', {
      relation: asked.relation, n: asked.n, k: asked.k, encoding: asked.encoding,
    }, { signal });
    const names = namesOf(answer.variables);
    const auxiliaries = [...names.values()].filter((one) => !one.input).length;
    const literals = answer.clauses.reduce((sum, clause) => sum + clause.length, 0);
    summary.textContent = `${sentence(asked)}: ${grouped(answer.clauses.length)} clauses, `
      + `${grouped(literals)} literals, ${grouped(auxiliaries)} auxiliary variables.`;
    const wired = wiring(answer, asked.relation);
    for (const [variable, role] of rolesOf(wired, names)) names.get(variable).role = role;
    const drawn = structure(answer.clauses, wired, names, (variable) => {
      list.highlight(variable);
      drawn.highlight(variable);
    });
    const list = clauseList(answer.clauses, names, (variable) => drawn.highlight(variable));
    place.replaceChildren(
      h('div', { class: 'enc-drawing' }, h('h3', { text: 'How it is built' }), drawn.element,
        button('enc-svg', 'Save SVG', () => save(asked))),
      h('div', { class: 'enc-listing' }, h('h3', { text: 'The clauses' }), list.element));
  });
  return {
    element: h('section', { class: 'card', 'aria-labelledby': 'enc-inside-title' },
      h('h2', { id: 'enc-inside-title', text: 'What is inside?' }),
      h('p', { class: 'buttons' }, h('label', { for: 'enc-inside-encoding', text: 'Encoding' }), encoding),
      summary, place),
    update(nextRule, names) {
      rule = nextRule;
      const before = encoding.value;
      encoding.replaceChildren(...names.map((name) => h('option', { value: name, text: name })));
      const first = ['card:totalizer', 'amo:product'].find((name) => names.includes(name)) ?? names[0] ?? '';
      encoding.value = names.includes(before) ? before : first;
      show();
    },
  };
}
