/**
 * Compares a response with the recorded one and returns the differences. Every recorded key must match; other keys are
 * allowed unless the object has `"{{exact}}": true`. The placeholders `{{any}}`, `{{string}}`, `{{number}}`, `{{absent}}`
 * and `{{re:PATTERN}}` match a class of values.
 */
export function differences(want: unknown, got: unknown, path: string): string[] {
  if (typeof want === 'string') return loose(want, got, path)
  if (want === null || typeof want !== 'object') return want === got ? [] : [unequal(want, got, path)]
  if (Array.isArray(want)) return lists(want, got, path)
  return objects(want as Record<string, unknown>, got, path)
}

const show = (value: unknown) => JSON.stringify(value)?.slice(0, 300) ?? 'nothing'
const unequal = (want: unknown, got: unknown, path: string) => `${path}: want ${show(want)}, got ${show(got)}`

function loose(want: string, got: unknown, path: string): string[] {
  const fail = (text: string) => [`${path}: ${text}, is ${show(got)}`]
  if (want === '{{any}}') return got === undefined ? fail('should be present') : []
  if (want === '{{absent}}') return got === undefined ? [] : fail('should be absent')
  if (want === '{{string}}') return typeof got === 'string' ? [] : fail('should be a string')
  if (want === '{{number}}') return typeof got === 'number' ? [] : fail('should be a number')
  const pattern = /^\{\{re:(.*)\}\}$/s.exec(want)
  if (pattern === null) return want === got ? [] : [unequal(want, got, path)]
  return new RegExp(pattern[1] as string, 's').test(String(got)) ? [] : fail(`should match ${pattern[1]}`)
}

function lists(want: readonly unknown[], got: unknown, path: string): string[] {
  if (!Array.isArray(got) || got.length !== want.length) return [unequal(want, got, path)]
  return want.flatMap((entry, i) => differences(entry, got[i], `${path}[${i}]`))
}

function objects(want: Record<string, unknown>, got: unknown, path: string): string[] {
  if (got === null || typeof got !== 'object' || Array.isArray(got)) return [unequal(want, got, path)]
  const has = got as Record<string, unknown>
  const found = Object.keys(want)
    .filter((key) => key !== '{{exact}}')
    .flatMap((key) => differences(want[key], has[key], `${path}.${key}`))
  if (want['{{exact}}'] !== true) return found
  const extra = Object.keys(has).filter((key) => !(key in want))
  return [...found, ...extra.map((key) => `${path}.${key}: not expected, is ${show(has[key])}`)]
}
