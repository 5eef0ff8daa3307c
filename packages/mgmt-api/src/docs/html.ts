/** HTML from template literals; inserted values are escaped unless they are HTML themselves. */
export interface Markup {
  readonly markup: string
}

type Part = string | number | Markup | readonly Markup[] | undefined

/** `html\`<b>${text}</b>\``: an inserted text cannot become a tag. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Markup {
  return { markup: texts.reduce((done, text, i) => done + render(parts[i - 1]) + text) }
}

/** Trusted text: our own style or script. */
export function trusted(markup: string): Markup {
  return { markup }
}

function render(part: Part): string {
  if (part === undefined) return ''
  if (typeof part === 'string' || typeof part === 'number') return escapeText(String(part))
  return 'markup' in part ? part.markup : part.map((each) => each.markup).join('')
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
