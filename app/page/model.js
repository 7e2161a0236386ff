/**
 * The Model tab: small problems said in a few lines of Rust, solved, and drawn; and a place to write models
 * (model-text.js).
 *
 * The server has the list: name, parameters with their ranges, source. A form is made from the parameters, so a new
 * model needs nothing here unless its solution is of a new kind (model-draw.js). The first model is solved at once.
 */
import { bar, button, field, h, number, whole } from './dom.js';
import { drawSolution } from './model-draw.js';
import { textEditor } from './model-text.js';
import { grouped } from './picture.js';
import { Work } from './work.js';

/** The name of what somebody writes, beside those of models. */
const OWN = 'own';

export async function start(root, tools) {
  const { models, texts } = await tools.ask('model/list', {});
  const work = new Work('model', tools);
  const source = h('code', {});
  const place = h('div', { id: 'model-picture', class: 'model-picture' });
  const text = h('p', { id: 'model-text', role: 'status' });
  const report = h('div', { class: 'report' }, text);
  const figures = h('table', { id: 'model-figures', class: 'figures' });
  const form = h('form', { class: 'fields', id: 'model-form', novalidate: true, on: { submit: (event) => {
    event.preventDefault();
    solve();
  } } });
  const about = h('p', { class: 'quiet', id: 'model-about' });
  let model = models[0];
  let fields = [];

  const solve = async () => {
    let parameters;
    try {
      parameters = Object.fromEntries(fields.map(({ name, read }) => [name, read()]));
    } catch (problem) {
      tools.fail(problem);
      return;
    }
    const asked = model;
    try {
      const answer = await work.try(`Solving ${asked.title}`, 'model/solve', { name: asked.name, parameters });
      if (asked === model) show(answer);
    } catch (problem) {
      if (problem.replaced || asked !== model) return;
      const field = mark(problem.where);
      tools.fail({ ...problem, where: field?.title ?? problem.where });
    }
  };
  /** Marks the field that a refusal is about, such as `parameters.n`, and gives it. */
  const mark = (where) => {
    const about = fields.find(({ name }) => where === `parameters.${name}`);
    fields.forEach((field) => field.control.setAttribute('aria-invalid', String(field === about)));
    about?.control.focus();
    return about;
  };
  const show = ({ solution, statistics }) => {
    mark(null);
    place.replaceChildren(...(solution ? [drawSolution(solution, model.title)] : []));
    report.dataset.kind = solution ? 'good' : 'bad';
    const proved = work.engine.value === '' ? 'and that is proved' : 'says the engine';
    text.textContent = solution ? 'Solved.' : `There is no solution with these numbers, ${proved}.`;
    figures.replaceChildren(h('caption', { class: 'hidden', text: 'Statistics' }), h('tbody', {},
      ...rowsOf(statistics).map(([name, value]) =>
        h('tr', {}, h('th', { scope: 'row', text: name }), h('td', { text: value })))));
  };
  const choose = (name) => {
    own.hidden = name !== OWN;
    engine.hidden = name === OWN;
    split.hidden = name === OWN;
    if (name === OWN) {
      model = null;
      work.cancel();
      return;
    }
    model = models.find((one) => one.name === name);
    fields = model.parameters.map((parameter) => controlOf(model.name, parameter));
    form.replaceChildren(...fields.map((one) => one.element), button('model-solve', 'Solve', null, { kind: 'main' }));
    form.lastElementChild.type = 'submit';
    about.textContent = model.about ?? '';
    source.textContent = model.source;
    text.textContent = '';
    place.replaceChildren();
    figures.replaceChildren();
    solve();
  };

  const own = textEditor(texts, work, tools);
  const engine = h('div', {}, work.engineField('Engine')); // texts are not for engines
  const split = h('div', { class: 'model-split' },
    h('section', { class: 'card', 'aria-label': 'Problem and solution' }, about, form, report, place, figures),
    h('section', { class: 'card', 'aria-labelledby': 'model-source-title' },
      h('h2', { id: 'model-source-title', text: 'The model in Rust' }),
      h('pre', { class: 'model-source', tabindex: 0, 'aria-labelledby': 'model-source-title' }, source),
      h('div', { class: 'buttons' }, button('model-copy', 'Copy', () => tools.copy(model.source, 'Source')))));
  const names = [...models.map((one) => [one.name, one.title]), [OWN, 'Write your own']];
  root.replaceChildren(h('div', { class: 'model-all' },
    bar('model-name', 'Model', names, model.name, choose), work.line, split, own,
    h('details', {}, h('summary', { text: 'Time limit, engine' }), work.limitField, engine)));
  choose(model.name);
}

/** The control of one parameter, and what it says. */
function controlOf(model, parameter) {
  const id = `model-${model}-${parameter.name}`;
  const title = parameter.title ?? parameter.name;
  const about = parameter.about ? `${parameter.about}: ` : '';
  if (parameter.type === 'integer') {
    const input = number(id, parameter.default, parameter.least, parameter.most);
    const note = `${about}${grouped(parameter.least)} to ${grouped(parameter.most)}`;
    return {
      name: parameter.name, title, read: () => whole(input, title), control: input,
      element: field(title, input, { note }),
    };
  }
  const lines = String(parameter.default ?? '').split('\n').length;
  const area = h('textarea', { id, rows: Math.min(12, lines + 1), spellcheck: 'false' });
  area.value = parameter.default ?? '';
  const element = field(title, area, { wide: true, note: parameter.about ?? null });
  return { name: parameter.name, title, read: () => area.value, control: area, element };
}

/** The statistics as pairs of words. */
function rowsOf(statistics) {
  const time = (milliseconds) => `${Number(milliseconds.toPrecision(3))} ms`;
  return [
    ['Variables', grouped(statistics.variables)],
    ['Clauses', grouped(statistics.clauses)],
    ['Time to encode', time(statistics.encode_ms)],
    ['Time to solve, with encoding', time(statistics.solve_ms)],
  ];
}
