// @ts-check

/**
 * A Markdown table, padded so that it also reads well in a terminal. The first column is text, the others are numbers.
 *
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
export function renderTable(head, rows) {
  const widths = head.map((title, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? "").length)))
  const line = (/** @type {readonly string[]} */ cells) =>
    `| ${cells.map((cell, column) => pad(cell, widths[column] ?? 0, column)).join(" | ")} |`
  const rule = widths.map((width, column) => (column === 0 ? "-".repeat(width) : "-".repeat(width - 1) + ":"))
  return [line(head), line(rule), ...rows.map(line)].join("\n")
}

/**
 * @param {string} cell
 * @param {number} width
 * @param {number} column
 */
function pad(cell, width, column) {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width)
}
