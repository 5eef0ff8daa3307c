/** `{{name}}` in a suite stands for a value known at run time; `{{number:name}}` for one as a number. */
export type Values = Record<string, unknown>

/** A copy with every placeholder replaced; unknown names stay, they may be patterns for `compare.ts`. */
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
