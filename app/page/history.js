/** What a key asks for, outside of fields in which it has a meaning of its own: `undo`, `redo` or `null`. */
export function stepByKey(event) {
  if (!(event.ctrlKey || event.metaKey)) return null;
  if (event.target.closest('input:not([type=radio], [type=checkbox]), textarea, select')) return null;
  const key = event.key.toLowerCase();
  return key === 'y' || (key === 'z' && event.shiftKey) ? 'redo' : key === 'z' ? 'undo' : null;
}

/**
 * A state with what was before and after it: undo and redo. States are never changed in place.
 *
 * @template State
 */
export class History {
  /**
   * @param {State} state
   * @param {(state: State) => number} most states that undo remembers
   */
  constructor(state, most) {
    this.now = state;
    this.past = [];
    this.future = [];
    this.most = most;
  }

  get canUndo() {
    return this.past.length > 0;
  }
  get canRedo() {
    return this.future.length > 0;
  }

  /** Makes another state the present one. */
  become(state) {
    this.past.push(this.now);
    if (this.past.length > this.most(state)) this.past.shift();
    this.future = [];
    this.now = state;
  }

  undo() {
    if (!this.canUndo) return false;
    this.future.push(this.now);
    this.now = this.past.pop();
    return true;
  }

  redo() {
    if (!this.canRedo) return false;
    this.past.push(this.now);
    this.now = this.future.pop();
    return true;
  }
}
