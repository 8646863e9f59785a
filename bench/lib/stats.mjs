// @ts-check

/**
 * @typedef {object} Spread
 * @property {number} median
 * @property {number} min
 * @property {number} max
 */

/**
 * @param {readonly number[]} values At least one.
 * @returns {Spread}
 */
export function spreadOf(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const median = sorted.length % 2 === 1 ? at(sorted, middle) : (at(sorted, middle - 1) + at(sorted, middle)) / 2
  return { median, min: at(sorted, 0), max: at(sorted, sorted.length - 1) }
}

/**
 * @param {readonly number[]} values
 * @param {number} index
 */
function at(values, index) {
  return values[index] ?? Number.NaN
}
