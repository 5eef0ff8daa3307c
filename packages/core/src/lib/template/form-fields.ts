/**
 * Fields as queries and forms write them: `a=1&b=2` with percent escapes and plus signs
 * (WHATWG URL, 5.1). Own code, because the engine knows no URL objects and a lone broken escape must not throw.
 */

/** Values by name, in the order they stand; a name without `=` has an empty value. */
export type FormFields = ReadonlyMap<string, readonly string[]>

/** More fields than any honest form has; the rest is passed over, so that a body cannot make a million entries. */
const maxFields = 10_000

export function parseFormFields(...texts: readonly string[]): FormFields {
  const fields = new Map<string, string[]>()
  let left = maxFields
  for (const text of texts) {
    for (let start = 0; start < text.length && left > 0; left--) {
      const next = text.indexOf('&', start)
      const end = next === -1 ? text.length : next
      if (end > start) addField(fields, text.slice(start, end))
      start = end + 1
    }
  }
  return fields
}

function addField(fields: Map<string, string[]>, pair: string): void {
  const equals = pair.indexOf('=')
  const name = decodeField(equals === -1 ? pair : pair.slice(0, equals))
  const value = equals === -1 ? '' : decodeField(pair.slice(equals + 1))
  const values = fields.get(name)
  if (values === undefined) fields.set(name, [value])
  else values.push(value)
}

/** A part of a form or query as text: plus signs are spaces. */
export function decodeField(text: string): string {
  return decodePercent(text.includes('+') ? text.replaceAll('+', ' ') : text)
}

/**
 * Percent escapes as text. What does not spell UTF-8 stays escaped, but ASCII beside it is undone all the same, so
 * that a broken escape hides nothing from those who look at the text.
 */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => {
    try {
      return decodeURIComponent(run)
    } catch {
      return run.replace(/%([0-7][0-9a-fA-F])/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    }
  })
}

/** Text as a value in a query: everything but letters, digits and `-_.~` escaped, spaces as plus signs. */
export function encodeField(text: string): string {
  return encodeURIComponent(wellFormed(text))
    .replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
}

/** Half a surrogate pair is no text that could be encoded; it becomes U+FFFD. */
export function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
}
