// @ts-check
// The chart as SVG: it stands alone, and can be read on light and on dark pages, wide and narrow.
import { style } from "./style.mjs"

/** @typedef {import("./comparisons.mjs").Panel} Panel */
/** @typedef {import("./comparisons.mjs").Line} Line */

const width = 860
const labelWidth = 300
const rowHeight = 32
const barHeight = 24
const headHeight = 68
const gap = 28
const footHeight = 36

/** A shorter bar has its figure beside it. */
const roomForFigure = 76

/**
 * @param {readonly Panel[]} panels
 * @param {string} description What somebody is told who does not see it.
 * @param {string} footer
 */
export function renderChart(panels, description, footer) {
  const heights = panels.map(({ lines }) => headHeight + lines.length * rowHeight)
  const tops = heights.map((_, index) => sum(heights.slice(0, index)) + index * gap)
  const height = sum(heights) + (panels.length - 1) * gap + footHeight
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escape(description)}</title>`,
    `<style>${style}</style>`,
    ...panels.map((panel, index) => renderPanel(panel, tops[index] ?? 0)),
    `<text class="footer" x="0" y="${height - 6}">${escape(footer)}</text>`,
    "</svg>",
    "",
  ].join("\n")
}

/**
 * @param {Panel} panel
 * @param {number} top
 */
function renderPanel({ title, unit, lines }, top) {
  const scale = (width - labelWidth - 1) / Math.max(1, ...lines.map(({ value }) => value))
  const one = labelWidth + scale
  const bottom = headHeight + lines.length * rowHeight - (rowHeight - barHeight)
  return [
    `<g transform="translate(0 ${top})">`,
    `<text class="title" x="0" y="22">${escape(title)}</text>`,
    `<text class="unit" x="${round(one)}" y="52" text-anchor="${anchorAt(one)}">${escape(unit)}</text>`,
    `<path class="one" d="M${round(one)} 58V${bottom + 6}"/>`,
    ...lines.map((line, index) => renderLine(line, headHeight + index * rowHeight, scale)),
    "</g>",
  ].join("\n")
}

/**
 * @param {Line} line
 * @param {number} top
 * @param {number} scale
 */
function renderLine({ name, label, value, figure, isOurs }, top, scale) {
  const length = value * scale
  const isInside = length >= roomForFigure
  const baseline = top + barHeight / 2
  const end = `x="${labelWidth - 10}" y="${baseline}"`
  return [
    `<g class="${isOurs ? "ours" : "peer"}">`,
    `<text class="label" ${end}>${escape(label)}</text>`,
    `<text class="name" ${end}>${escape(name)}</text>`,
    `<rect x="${labelWidth}" y="${top}" width="${round(length)}" height="${barHeight}" rx="3"/>`,
    `<text class="${isInside ? "inside" : "beside"}" x="${round(labelWidth + length + (isInside ? -8 : 8))}" y="${baseline}">${escape(figure)}</text>`,
    "</g>",
  ].join("\n")
}

/**
 * On the side of the line where there is more room.
 *
 * @param {number} x
 */
function anchorAt(x) {
  return x > width / 2 ? "end" : "start"
}

/** @param {readonly number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0)
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10
}

/** @type {Readonly<Record<string, string>>} */
const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

/** @param {string} text */
function escape(text) {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? "")
}
