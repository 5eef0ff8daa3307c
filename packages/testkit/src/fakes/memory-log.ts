/** A log that records its lines, so that a test can check what was logged and that no secret was. */
import type { Log, LogFields } from '@turnpike/core/ports'

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  readonly fields: LogFields
}

export interface MemoryLog extends Log {
  readonly lines: readonly LogLine[]
  /** Returns true if any message, field name, field value, or error in a field contains the text. */
  mentions(text: string): boolean
}

export function makeMemoryLog(): MemoryLog {
  const lines: LogLine[] = []
  const keep =
    (level: LogLine['level']) =>
    (message: string, fields: LogFields = {}) => {
      lines.push({ level, message, fields })
    }
  return {
    lines,
    debug: keep('debug'),
    info: keep('info'),
    warn: keep('warn'),
    error: keep('error'),
    mentions: (text) => lines.some((line) => line.message.includes(text) || includesText(line.fields, text, new Set())),
  }
}

function includesText(value: unknown, text: string, seen: Set<object>): boolean {
  if (typeof value !== 'object' || value === null) return String(value).includes(text)
  if (seen.has(value)) return false
  seen.add(value)
  // An error's message and cause are not enumerable.
  const own = Object.getOwnPropertyNames(value)
  return own.some((name) => name.includes(text) || includesText((value as Record<string, unknown>)[name], text, seen))
}
