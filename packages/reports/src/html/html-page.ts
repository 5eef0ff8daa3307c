/** What the HTML reports of all commands have in common: no scripts or external files, and the reader's light or dark mode. */
import { escapeMarkup } from '../escape-markup.ts'

export interface Page {
  readonly title: string
  /** The style sheet. */
  readonly style: string
  /** Content of the `main` element, in HTML. */
  readonly body: string
}

export function htmlPage({ title, style, body }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeMarkup(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`
}

/** A table of texts, which are escaped. */
export function htmlTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const columns = head.map((cell) => `<th scope="col">${escapeMarkup(cell)}</th>`).join('')
  const lines = rows.map((row) => `<tr>${row.map((cell) => `<td>${escapeMarkup(String(cell))}</td>`).join('')}</tr>`)
  return `<table><thead><tr>${columns}</tr></thead><tbody>\n${lines.join('\n')}\n</tbody></table>`
}
