/**
 * The `standard` log format: `time="Nov 21 10:25:22" level=info msg="…" prefix=main`. Fields are sorted by name.
 * Source: docs/reference/logs.md#log-format.
 */
import { monthNames } from '@turnpike/core/lib'
import type { LogFields } from '@turnpike/core/ports'

/** Returns one line with a trailing line break. The time is local. */
export function standardLine(level: string, message: string, fields: LogFields, nowMs: number): string {
  let line = `time="${timeOf(nowMs)}" level=${level === 'warn' ? 'warning' : level} msg=${JSON.stringify(message)}`
  for (const name of Object.keys(fields).sort()) {
    const value = fields[name]
    if (value !== undefined) line += ` ${name}=${textOf(value)}`
  }
  return `${line}\n`
}

function timeOf(nowMs: number): string {
  const at = new Date(nowMs)
  return `${monthNames[at.getMonth()]} ${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value)
}

// Other characters need quotes, because parsers split a line at spaces and equals signs.
const unquoted = /^[\w\-./@^+:[\]]+$/

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null')
  return unquoted.test(text) ? text : JSON.stringify(text)
}
