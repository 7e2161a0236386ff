/**
 * The answer to a question: a sentence that screen readers hear, a list of findings that lead to their cells, buttons
 * for what can be done next. Where the answer is out of sight, as on a phone, its sentence is also shown for a moment.
 *
 * Ids, with the tab's id before them: `-report` (`data-kind`: quiet, good, bad, hint), `-report-text`, `-report-list`.
 */
import { h } from './dom.js';

/** Findings that are listed; all are marked on the board. */
const LISTED = 50;

export class Report {
  /**
   * @param {string} tab the tab's id
   * @param {object} tools as main.js gives them to a tab
   * @param {(cell: number) => void} go puts the focus on a cell of the board
   */
  constructor(tab, tools, go) {
    this.tools = tools;
    this.go = go;
    this.text = h('p', { id: `${tab}-report-text`, role: 'status' });
    this.list = h('ul', { id: `${tab}-report-list`, class: 'findings' });
    this.more = h('div', { class: 'buttons' });
    const attributes = { id: `${tab}-report`, class: 'report', 'aria-label': 'Answer', tabindex: -1 };
    this.element = h('section', { ...attributes, 'data-kind': 'quiet' }, this.text, this.list, this.more);
  }

  /**
   * Shows an answer in place of the one before.
   *
   * @param {string} sentence nothing hides the report
   * @param {'quiet'|'good'|'bad'|'hint'} [kind]
   * @param {[string, number|null][]} [findings] what was found, and the cell it leads to
   * @param {HTMLElement[]} [buttons]
   */
  show(sentence, kind = 'quiet', findings = [], buttons = []) {
    // The button that was pressed may go: the keyboard's focus then stays with the answer.
    const inside = this.element.contains(document.activeElement);
    this.text.textContent = sentence;
    this.element.dataset.kind = kind;
    const items = findings.slice(0, LISTED).map(([what, cell]) => h('li', {}, this.finding(what, cell)));
    if (findings.length > LISTED) items.push(h('li', { text: `… and ${findings.length - LISTED} more` }));
    this.list.replaceChildren(...items);
    this.more.replaceChildren(...buttons);
    if (sentence === '') return;
    if (inside) this.element.focus();
    const { top } = this.element.getBoundingClientRect();
    if (top < 0 || top > innerHeight - 40) this.tools.say(sentence, { seen: true });
  }

  finding(what, cell) {
    if (cell === null || cell === undefined) return what;
    return h('button', { type: 'button', class: 'plain', text: what, on: { click: () => this.go(cell) } });
  }
}
