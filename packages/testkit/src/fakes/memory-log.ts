/** A log that keeps its lines, for tests that ask what an operator was told, or that a secret never was. */
import type { Log, LogFields } from '@turnpike/core'

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  readonly fields: LogFields
}

export interface MemoryLog extends Log {
  readonly lines: readonly LogLine[]
  /** Whether a text stands anywhere in what was logged: messages, names and values of fields, errors included. */
  mentions(text: string): boolean
}

/** Makes a log without lines. */
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
