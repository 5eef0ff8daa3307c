/** Values as JSON, as Go writes it: names sorted; `<`, `>` and `&` escaped so that the text is safe in an HTML page. */
import type { Budget } from './budget.ts'
import { TemplateError } from './template-problem.ts'
import { isMapping, isNil, sortedEntries } from './value.ts'

export function writeJson(value: unknown, budget: Budget, indent = ''): string {
  return write(value, budget, indent, indent === '' ? '' : '\n')
}

function write(value: unknown, budget: Budget, indent: string, line: string): string {
  if (isNil(value)) return 'null'
  if (typeof value === 'string') return writeText(value, budget)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TemplateError('JSON has no such number')
    return String(value)
  }
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  budget.step()
  const inner = line === '' ? '' : line + indent
  const colon = line === '' ? ':' : ': '
  return budget.nested(() => {
    if (Array.isArray(value)) {
      const items = value.map((item) => inner + write(item, budget, indent, inner))
      return items.length === 0 ? '[]' : `[${items.join(',')}${line}]`
    }
    if (!isMapping(value)) return 'null'
    const members = sortedEntries(value, budget).map(
      ([name, item]) => inner + writeText(name, budget) + colon + write(item, budget, indent, inner),
    )
    return members.length === 0 ? '{}' : `{${members.join(',')}${line}}`
  })
}

function writeText(text: string, budget: Budget): string {
  budget.spend(text.length + 8)
  return JSON.stringify(text).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
