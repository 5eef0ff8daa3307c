// Markdown of generated pages.

/** A table; empty text if there are no rows. */
export function table(head, rows) {
  if (rows.length === 0) return ''
  const line = (cells) => `| ${cells.map(cell).join(' | ')} |\n`
  return `${line(head)}|${head.map(() => '---|').join('')}\n${rows.map(line).join('')}`
}

/** Text in a code span; empty text stays empty. */
export function code(text) {
  return text === '' ? '' : `\`${text}\``
}

/** Sections and tables, separated by one empty line. */
export function page(...parts) {
  return `${parts
    .filter((part) => part !== '')
    .map((part) => part.trimEnd())
    .join('\n\n')}\n`
}

/** The sentence with which every generated page begins, below its title. */
export const generatedNote =
  'This page is generated from the source code (`node scripts/reference-pages.mjs`); a test fails if it is outdated.'

/** The sentence with a capital letter and a full stop. */
export function sentence(text = '') {
  const trimmed = text.trim()
  if (trimmed === '') return ''
  return `${trimmed[0].toUpperCase()}${trimmed.slice(1)}${/[.!?:]$/.test(trimmed) ? '' : '.'}`
}

function cell(text) {
  return String(text).replaceAll('|', '\\|').replaceAll('\n', ' ').trim()
}
