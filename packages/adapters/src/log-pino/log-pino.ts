/**
 * Writes log lines to standard error as text or as JSON, which pino serialises. Lines are buffered for a few milliseconds;
 * `flush` and the end of the process write them. `redact.ts` removes credentials from every message and field first.
 * Source: docs/reference/logs.md#log-format.
 */

import { styleText } from 'node:util'
import type { Clock, Log, LogFields } from '@turnpike/core/ports'
import { pino } from 'pino'
import { makeBufferedLineWriter } from '../buffered-line-writer/buffered-line-writer.ts'
import { redactField, redactText } from './redact.ts'
import { standardLine } from './standard-line.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
export type LogFormat = 'standard' | 'json'

export interface PinoLogOptions {
  /** Minimum level that is written. Default: `info`. */
  readonly level?: LogLevel
  /** Default: `standard`. */
  readonly format?: LogFormat
  /** Default of the field `prefix`. Default: `main`. */
  readonly prefix?: string
  /** Colours the level of `warn` and `error` lines in the standard format. Default: false. */
  readonly colour?: boolean
  /** Clock for the time of a line. Default: the system clock. */
  readonly clock?: Pick<Clock, 'now'>
  /** Receives each line. Default: standard error, buffered. */
  readonly write?: (line: string) => void
}

/** A log whose level can be changed at any time. */
export interface PinoLog extends Log {
  level: LogLevel
  /** Writes all buffered lines. Call it before the process ends. */
  flush(): void
}

const ranks: Record<LogLevel, number> = { debug: 20, info: 30, warn: 40, error: 50 }

/** Makes the log of a gateway process. */
export function makePinoLog(options: PinoLogOptions = {}): PinoLog {
  const { format = 'standard', prefix = 'main', clock = { now: Date.now }, colour = false } = options
  const sink = options.write === undefined ? standardError() : { write: options.write, flush: () => {} }
  const writeLine = format === 'json' ? jsonWriter(sink.write, clock) : standardWriter(sink.write, clock, colour)
  let level = options.level ?? 'info'
  let rank = ranks[level]

  const at = (own: LogLevel) => (message: string, fields?: LogFields) => {
    if (ranks[own] >= rank) writeLine(own, redactText(message), withPrefix(fields, prefix))
  }
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    flush: sink.flush,
    get level() {
      return level
    },
    set level(to) {
      level = to
      rank = ranks[to]
    },
  }
}

type WriteLine = (level: LogLevel, message: string, fields: Record<string, unknown>) => void

function standardWriter(write: (line: string) => void, clock: Pick<Clock, 'now'>, colour: boolean): WriteLine {
  return (level, message, fields) => {
    const line = standardLine(level, message, fields, clock.now())
    const style = colour ? levelStyles[level] : undefined
    // Only the level of a line precedes its message.
    write(style === undefined ? line : line.replace(/ level=\w+/, (text) => styleText(style, text, noCheck)))
  }
}

const levelStyles: { readonly [level in LogLevel]?: 'red' | 'yellow' } = { error: 'red', warn: 'yellow' }

/** The caller has checked that the stream is a terminal. */
const noCheck = { validateStream: false }

function jsonWriter(write: (line: string) => void, clock: Pick<Clock, 'now'>): WriteLine {
  const logger = pino(
    {
      // `makePinoLog` filters by level, so that a change of the level applies in one place.
      level: 'debug',
      base: null,
      messageKey: 'msg',
      formatters: { level: (label) => ({ level: label === 'warn' ? 'warning' : label }) },
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
    },
    { write },
  )
  return (level, message, fields) => logger[level](fields, message)
}

// A field with one of these names would duplicate a key of the line.
const reserved = new Set(['time', 'level', 'msg'])

function withPrefix(fields: LogFields | undefined, prefix: string): Record<string, unknown> {
  const out: Record<string, unknown> = { prefix }
  for (const name in fields) out[reserved.has(name) ? `fields.${name}` : name] = redactField(name, fields[name])
  return out
}

interface Sink {
  readonly write: (line: string) => void
  readonly flush: () => void
}

let sharedSink: Sink | undefined

/** All logs of a process share one sink, so that several gateways in a process add only one `exit` listener. */
function standardError(): Sink {
  sharedSink ??= openStandardError()
  return sharedSink
}

function openStandardError(): Sink {
  // Without a listener, a closed standard error would end the process.
  process.stderr.on('error', () => undefined)
  const lines = makeBufferedLineWriter(process.stderr)
  process.once('exit', lines.flush)
  return { write: (line) => lines.add(line.replace(/\n$/, '')), flush: lines.flush }
}
