/**
 * Long work in a tab: one question at a time, with progress, the time that has passed, a Cancel button and a field for
 * the time limit. A new question takes the place of the one before, which is cancelled; so nothing has to be disabled,
 * and the keyboard's focus stays where it is.
 *
 * Ids, with the tab's id before them: `-work` (the line), `-work-text`, `-cancel`, `-limit`, `-engine`.
 */
import { button, field, h, number, select, whole } from './dom.js';
import { capital, several } from './words.js';

/** Milliseconds before the line is shown: most answers are there earlier, and should not flicker. */
const PATIENCE = 150;

export class Work {
  /**
   * @param {string} tab the tab's id
   * @param {object} tools as main.js gives them to a tab
   */
  constructor(tab, tools) {
    this.tools = tools;
    this.controller = null;
    this.text = h('span', { id: `${tab}-work-text`, class: 'work-text' });
    this.bar = h('progress', { 'aria-label': 'Progress' });
    this.line = h(
      'div',
      { id: `${tab}-work`, class: 'work', hidden: true },
      this.bar,
      this.text,
      button(`${tab}-cancel`, 'Cancel', () => this.cancel()),
    );
    this.limit = number(`${tab}-limit`, 10, 1, 120);
    this.limitField = field('Time limit, seconds', this.limit, { beside: true });
    this.engine = select(`${tab}-engine`, [['', 'Built in']], '');
    /** The questions that an engine may answer. */
    this.byEngine = [];
    tools.onEscape(tab, () => this.cancel());
  }

  /** The choice of an engine, hidden where none is installed. */
  engineField(label) {
    const element = field(label, this.engine, { beside: true });
    element.hidden = true;
    this.tools.engines().then(({ engines, questions }) => {
      this.engine.append(...engines.map((name) => h('option', { value: name, text: name })));
      this.byEngine = questions;
      element.hidden = engines.length === 0;
    });
    return element;
  }

  /** Stops what is under way. True if there was something. */
  cancel() {
    if (this.controller === null) return false;
    this.controller.abort();
    return true;
  }

  /**
   * Asks, with the line shown meanwhile.
   *
   * @param {string} label what is being done, such as 'Solving'
   * @returns {Promise<any|null>} the answer, or null: then the user has been told why there is none
   */
  async ask(label, question, body) {
    try {
      return await this.try(label, question, body);
    } catch (problem) {
      if (!problem.replaced) this.tools.fail(problem);
      return null;
    }
  }

  /**
   * As {@link ask}, about something that may change meanwhile: an answer about what is no longer there is dropped.
   * @param {() => any} current what the question is about
   */
  async askAbout(current, label, question, body) {
    const before = current();
    const answer = await this.ask(label, question, body);
    if (answer === null || before === current()) return answer;
    this.tools.say('The board has changed meanwhile; the answer was for the board before.');
    return null;
  }

  /** As {@link ask}, but rejects with the Problem; `replaced` is true there if another question took its place. */
  async try(label, question, body) {
    const limit = 1000 * whole(this.limit, 'Time limit');
    const engine = this.byEngine.includes(question) && this.engine.value !== '' ? { engine: this.engine.value } : {};
    this.cancel();
    const controller = new AbortController();
    this.controller = controller;
    const since = performance.now();
    const mine = () => this.controller === controller;
    let news = '';
    const show = () => {
      const seconds = (performance.now() - since) / 1000;
      this.text.textContent = `${news || label}… ${seconds < 1 ? '' : `${Math.floor(seconds)} s`}`.trim();
    };
    const timer = setInterval(() => mine() && show(), 250);
    const delay = setTimeout(() => {
      if (!mine()) return;
      show();
      this.line.hidden = false;
      this.tools.say(`${label}. Escape cancels.`, { heard: true });
    }, PATIENCE);
    const onProgress = ({ text, done, of }) => {
      if (!mine()) return;
      news = capital(text);
      if (done > 0) news += of ? `, ${done} of ${of}` : `, ${done}`;
      if (of) Object.assign(this.bar, { max: of, value: done });
      else this.bar.removeAttribute('value');
    };
    try {
      this.bar.removeAttribute('value');
      this.tools.clear();
      const how = { onProgress, signal: controller.signal };
      return await this.tools.ask(question, { ...body, ...engine, limit_ms: limit }, how);
    } catch (problem) {
      if (!mine()) throw { ...problem, replaced: true };
      if (problem.status !== 504) throw problem;
      const time = several(limit / 1000, 'second');
      const error = `No answer within ${time}. Allow more time (up to 120 seconds), or ask for less.`;
      throw { ...problem, error, where: 'Time limit' };
    } finally {
      clearInterval(timer);
      clearTimeout(delay);
      if (mine()) {
        this.controller = null;
        this.line.hidden = true;
      }
    }
  }
}
