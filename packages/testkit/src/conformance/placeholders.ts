/** Values by name, which replace `{{name}}` (as text) and `{{number:name}}` (as a number) in a suite. */
export type Values = Record<string, unknown>

/** Returns a copy with every placeholder replaced. Unknown names stay, because `compare.ts` has placeholders of its own. */
export function fill<T>(template: T, values: Values): T {
  return fillAny(template, values) as T
}

function fillAny(template: unknown, values: Values): unknown {
  if (typeof template === 'string') return fillText(template, values)
  if (Array.isArray(template)) return template.map((entry) => fillAny(entry, values))
  if (template === null || typeof template !== 'object') return template
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, fillAny(value, values)]))
}

function fillText(text: string, values: Values): unknown {
  const number = /^\{\{number:(\w+)\}\}$/.exec(text)
  if (number !== null) return Number(values[number[1] as string])
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole))
}
