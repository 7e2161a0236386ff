/**
 * “Your literals”: paste them, get the rule of the form about them as DIMACS, to copy or to download. Or paste a sum
 * with its bound, which then takes the place of the form's rule.
 */
import { button, h, select } from './dom.js';
import { latest } from './picture.js';
import { sentence } from './encodings-rule.js';

/** Lines of DIMACS shown in the page; the file has all. */
const SHOWN = 200;
const WITH_WEIGHTS = '3 x1 + 2 x2 + 2 ~x3 <= 4';

/**
 * @param {object} tools as main.js gives them to a tab
 * @param {() => {relation: string, k: string, n: number}} rule the rule of the form
 * @returns {{element: HTMLElement, update: (names: string[]) => void}} `update` gives the encodings that are chosen
 */
export function dimacsPart(tools, rule) {
  const literals = h('textarea', {
    id: 'enc-literals', rows: 3, spellcheck: 'false', 'aria-describedby': 'enc-literals-note',
  });
  literals.value = '1 -2 3 4 -5 6 7 8';
  const encoding = select('enc-dimacs-encoding', [], '');
  const shown = h('pre', { id: 'enc-dimacs', class: 'enc-text', tabindex: 0, 'aria-label': 'DIMACS' });
  const note = h('p', { id: 'enc-dimacs-note', class: 'quiet' });
  const result = h('div', { hidden: true });
  let text = '';

  const once = latest((problem) => {
    literals.setAttribute('aria-invalid', String(problem.where === 'text'));
    tools.fail(problem);
    result.hidden = true;
  });
  const make = () => once(async (signal) => {
    tools.clear();
    const { relation, k } = rule();
    const answer = await tools.ask('encodings/dimacs', {
      text: literals.value, relation, k, ...(encoding.value && { encoding: encoding.value }),
    }, { signal });
    literals.setAttribute('aria-invalid', 'false');
    text = answer.text;
    const lines = text.split('\n');
    shown.textContent = lines.slice(0, SHOWN).join('\n');
    note.textContent = lines.length > SHOWN ? `The first ${SHOWN} of ${lines.length} lines; the file has all.` : '';
    result.hidden = false;
    tools.say(`DIMACS is there: ${text.split('\n').find((line) => line.startsWith('p ')) ?? ''}`);
  });
  const about = h('p', { id: 'enc-literals-note', class: 'note' });

  result.append(shown, note, h('div', { class: 'buttons' },
    button('enc-dimacs-copy', 'Copy', () => tools.copy(text, 'DIMACS')),
    button('enc-dimacs-download', 'Download', () => tools.download('constraint.cnf', 'text/plain', text))));
  return {
    element: h('section', { class: 'card', 'aria-labelledby': 'enc-dimacs-title' },
      h('h2', { id: 'enc-dimacs-title', text: 'Your literals as DIMACS' }),
      about,
      h('label', { for: 'enc-literals', text: 'Literals' }), literals,
      h('div', { class: 'buttons' }, h('span', {}, 'Try: '),
        button('enc-dimacs-weights', WITH_WEIGHTS, () => {
          literals.value = WITH_WEIGHTS;
          encoding.value = '';
        })),
      h('div', { class: 'buttons' },
        h('label', { for: 'enc-dimacs-encoding', text: 'Encoding' }), encoding,
        button('enc-dimacs-make', 'Make DIMACS', make, { kind: 'main' })),
      result),
    update(names) {
      const { relation, k } = rule();
      about.textContent = `Variables of your own formula, negative where the literal is negated: the rule “${
        sentence({ relation, k })}” becomes clauses about them. Or a sum of terms with a bound, such as `
        + `${WITH_WEIGHTS}, where x1 is variable 1 and ~ negates.`;
      const before = encoding.value;
      encoding.replaceChildren(h('option', { value: '', text: 'what suits the terms' }),
        ...names.map((name) => h('option', { value: name, text: name })));
      encoding.value = names.includes(before) ? before : '';
    },
  };
}
