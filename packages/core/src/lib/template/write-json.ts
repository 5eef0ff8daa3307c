/**
 * Values as JSON, as Go writes it: names sorted; `<`, `>` and `&` escaped, unless `raw`, so that the text is safe in an
 * HTML page.
 */
import { JsonNumber } from '../text/json-number.ts'
import type { Budget } from './budget.ts'
import { Struct } from './struct.ts'
import { TemplateError } from './template-problem.ts'
import { isMapping, isNil, sortedEntries } from './value.ts'

export interface JsonStyle {
  /** Indentation of one level. Default: everything on one line. */
  readonly indent?: string
  /** `<`, `>` and `&` are written as they are. */
  readonly raw?: boolean
}

export function writeJson(value: unknown, budget: Budget, style: JsonStyle = {}): string {
  return write(value, budget, style, (style.indent ?? '') === '' ? '' : '\n')
}

function write(value: unknown, budget: Budget, style: JsonStyle, line: string): string {
  if (isNil(value)) return 'null'
  if (typeof value === 'string') return writeText(value, budget, style)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TemplateError('JSON has no such number')
    return String(value)
  }
  if (value instanceof JsonNumber) return value.text
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  if (value instanceof Struct) return writeText(value.jsonText(), budget, style)
  budget.step()
  const inner = line === '' ? '' : line + (style.indent ?? '')
  const colon = line === '' ? ':' : ': '
  return budget.nested(() => {
    if (Array.isArray(value)) {
      const items = value.map((item) => inner + write(item, budget, style, inner))
      return items.length === 0 ? '[]' : `[${items.join(',')}${line}]`
    }
    if (!isMapping(value)) return 'null'
    const members = sortedEntries(value, budget).map(
      ([name, item]) => inner + writeText(name, budget, style) + colon + write(item, budget, style, inner),
    )
    return members.length === 0 ? '{}' : `{${members.join(',')}${line}}`
  })
}

function writeText(text: string, budget: Budget, { raw }: JsonStyle): string {
  budget.spend(text.length + 8)
  return JSON.stringify(text).replace(
    raw === true ? /[\u2028\u2029]/g : /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
