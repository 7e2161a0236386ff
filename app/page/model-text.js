/**
 * A place to write models: FlatZinc, edited, solved and printed as FlatZinc prints. A mistake is shown at its place:
 * its line is marked, the cursor goes to its column. The text is kept in the browser over a reload.
 *
 * Arrays of the first solution are drawn as tables, a row for each index of the first of two dimensions.
 *
 * Ids: model-own (the part), model-text-example, model-text-area, model-text-all (tick), model-text-solve,
 * model-text-report (`data-kind`), model-text-said, model-text-picture, model-text-out, model-text-copy.
 */
import { button, field, h, select, tick } from './dom.js';
import { Kept } from './kept.js';
import { drawSolution } from './model-draw.js';
import { several, sentence } from './words.js';

/** Solutions that are asked for when all are wanted. */
const MOST = 1000;

/** Words of MiniZinc that FlatZinc has not. */
const MINIZINC = /^\s*(include|output|enum)\b|\b(forall|exists|where)\b/m;
const COMPILE = ' This looks like MiniZinc; its compiler makes FlatZinc of it: minizinc -c --solver cnfkit model.mzn';

/** Arrays of one or two dimensions in a solution as FlatZinc prints it, such as `a = array1d(1..2, [3, 4]);`. */
function tables(solution) {
  const arrays = [...solution.matchAll(/^(\w+) = array[12]d\(.*?(-?\d+)\.\.(-?\d+), \[(.+)\]\);$/gm)];
  return arrays.map(([, name, first, last, list]) => {
    const [values, width] = [list.split(', '), last - first + 1];
    const rows = { length: values.length / width };
    const cells = Array.from(rows, (_, row) => values.slice(row * width, (row + 1) * width));
    return drawSolution({ kind: 'grid', cells, note: name }, name);
  });
}

/**
 * @param {{name: string, title: string, text: string}[]} examples
 * @param {import('./work.js').Work} work
 * @param {object} tools as main.js gives them to a tab
 */
export function textEditor(examples, work, tools) {
  const numbers = h('pre', { class: 'model-numbers', 'aria-hidden': 'true' });
  const area = h('textarea', {
    id: 'model-text-area', rows: 22, wrap: 'off', spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off',
    on: { input: () => edited(), scroll: () => { numbers.scrollTop = area.scrollTop; } },
  });
  const kept = new Kept('model', () => ({ now: area.value, past: [], future: [] }), (text) => text, String);
  const said = h('p', { id: 'model-text-said', role: 'status' });
  const report = h('div', { class: 'report', id: 'model-text-report', 'data-kind': 'quiet' }, said);
  const out = h('pre', { id: 'model-text-out', class: 'model-source', tabindex: 0, 'aria-label': 'Solutions' });
  const place = h('div', { id: 'model-text-picture', class: 'model-tables' });
  const figures = h('p', { class: 'note' });
  let all = false;

  /** Numbers of lines, one of them marked. */
  function number(marked = 0) {
    const lines = area.value.split('\n').map((_, at) =>
      h('span', { class: at + 1 === marked ? 'bad-line' : null, text: `${at + 1}\n` }));
    numbers.replaceChildren(...lines);
    numbers.scrollTop = area.scrollTop;
  }

  function show(solutions) {
    place.replaceChildren(...tables(solutions[0] ?? ''));
    out.textContent = solutions.join('\n----------\n');
  }

  function edited() {
    area.removeAttribute('aria-invalid');
    number();
    kept.changed();
  }

  function say(text, kind = 'quiet') {
    said.textContent = text;
    report.dataset.kind = kind;
  }

  /** Marks the place of a mistake, such as `line 3, column 5`; false if it is none. */
  function mark(where) {
    const found = /^line (\d+), column (\d+)$/.exec(where ?? '');
    if (!found) return false;
    const [line, column] = found.slice(1).map(Number);
    const lines = area.value.split('\n');
    const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    // A column counts characters, a selection counts units of 16 bits.
    const inside = [...(lines[line - 1] ?? '')].slice(0, column - 1).join('').length;
    const word = /^(\w+|.)?/u.exec((lines[line - 1] ?? '').slice(inside))[0].length;
    area.setAttribute('aria-invalid', 'true');
    area.focus();
    area.setSelectionRange(before + inside, before + inside + word);
    number(line);
    return true;
  }

  async function solve() {
    const text = area.value;
    try {
      const answer = await work.try('Solving', 'model/flatzinc', { text, most: all ? MOST : 1 });
      area.removeAttribute('aria-invalid');
      number();
      say(sentence(answer.text), answer.solutions.length > 0 ? 'good' : 'bad');
      show(answer.solutions);
      const { booleans, integers, constraints, unbounded } = answer;
      const counted = [several(integers, 'integer'), several(booleans, 'Boolean'), several(constraints, 'constraint')];
      const open = unbounded.length > 0 ? ` Nothing bounds ${unbounded.join(', ')}: -1,000,000 to 1,000,000 here.` : '';
      figures.textContent = `${counted.join(', ')}; ${Number(answer.solve_ms.toPrecision(3))} ms.${open}`;
    } catch (problem) {
      if (problem.replaced) return;
      show([]);
      figures.textContent = '';
      if (mark(problem.where)) {
        const mistake = `${problem.where}: ${problem.error}.`.replace(/^l/, 'L');
        say(`${mistake}${MINIZINC.test(text.replace(/%.*/g, '')) ? COMPILE : ''}`, 'bad');
      } else {
        say('');
        tools.fail(problem);
      }
    }
  }

  /** Begins with an example, as if it had been typed: the browser's undo brings back what was there. */
  function begin(name) {
    const { text } = examples.find((one) => one.name === name);
    area.focus();
    area.select();
    if (!document.execCommand('insertText', false, text)) area.value = text;
    say('');
    show([]);
    figures.textContent = '';
    edited();
  }

  const options = examples.map(({ name, title }) => [name, title]);
  const example = select('model-text-example', [['', 'choose …'], ...options], '', () => {
    if (example.value !== '') begin(example.value);
    example.value = '';
  });
  area.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      solve();
    }
  });

  const state = { now: '', past: [], future: [] };
  if (kept.restore(state) && state.now.trim() !== '') {
    area.value = state.now;
  } else area.value = examples[0].text;
  number();

  return h(
    'div',
    { class: 'model-split', id: 'model-own', hidden: true },
    h(
      'section',
      { class: 'card', 'aria-label': 'Text of the model' },
      h('div', { class: 'fields' }, field('Replace by an example', example)),
      h('div', { class: 'model-editor' }, numbers, area),
      h('label', { class: 'note', for: 'model-text-area', text: 'FlatZinc. Ctrl+Enter solves.' }),
      h(
        'div',
        { class: 'row' },
        button('model-text-solve', 'Solve', solve, { kind: 'main' }),
        tick('model-text-all', 'All solutions (up to 1,000)', false, (on) => {
          all = on;
        }),
      ),
    ),
    h(
      'section',
      { class: 'card', 'aria-label': 'Answer' },
      report,
      place,
      out,
      figures,
      h('div', { class: 'buttons' }, button('model-text-copy', 'Copy', () => tools.copy(out.textContent, 'Solutions'))),
    ),
  );
}
