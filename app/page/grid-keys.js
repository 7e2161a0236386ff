/** Keys that move in a grid, by the ARIA pattern. */

/**
 * The cell that a key leads to, by its place row by row: the same cell at the edge, `null` if the key moves nothing.
 *
 * @param {KeyboardEvent} event
 * @param {number} at the cell in focus
 * @param {{rows: number, columns: number, page: number}} grid its size, and the rows that PageUp and PageDown move
 */
export function cellByKey(event, at, { rows, columns, page }) {
  const [row, column] = [Math.floor(at / columns), at % columns];
  const to = {
    ArrowUp: [row - 1, column],
    ArrowDown: [row + 1, column],
    ArrowLeft: [row, column - 1],
    ArrowRight: [row, column + 1],
    Home: [event.ctrlKey ? 0 : row, 0],
    End: [event.ctrlKey ? rows - 1 : row, columns - 1],
    PageUp: [Math.max(0, row - page), column],
    PageDown: [Math.min(rows - 1, row + page), column],
  }[event.key];
  if (!to) return null;
  const [r, c] = to;
  return r >= 0 && r < rows && c >= 0 && c < columns ? r * columns + c : at;
}
