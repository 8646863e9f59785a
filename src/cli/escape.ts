/** Keeps what a database is named, or a server says, from steering the terminal. */

// Controls, marks that change the direction of text or are not seen, and separators of lines.
const steering = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
const steeringWithinLines = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** One line: what steers a terminal is written as in JSON, an escape character as `\u001b`. */
export function escapeLine(text: string): string {
  return text.replace(steering, escapeCharacter)
}

/** Text of our own making, whose line breaks stay. */
export function escapeLines(text: string): string {
  return text.replace(steeringWithinLines, escapeCharacter)
}

function escapeCharacter(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("")
}
