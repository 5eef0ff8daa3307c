/**
 * Log lines on standard error, in the two formats of spec/config-and-ops.md 2.6; pino makes the JSON of one of them.
 * Lines are written a moment later, several at once under load; `flush` writes what waits, and so does the end of the
 * process. `redact.ts` goes over every field and message first.
 */
import type { Clock, Log, LogFields } from '@turnpike/core'
import { pino } from 'pino'
import { makeBufferedLineWriter } from '../buffered-line-writer/buffered-line-writer.ts'
import { redactField, redactText } from './redact.ts'
import { standardLine } from './standard-line.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
export type LogFormat = 'standard' | 'json'

export interface PinoLogOptions {
  /** Least level that is written; `info` by default. */
  readonly level?: LogLevel
  /** `standard` by default. */
  readonly format?: LogFormat
  /** Value of the field `prefix` where a line brings none; `main` by default. */
  readonly prefix?: string
  /** Tells the time of a line; the system's by default. */
  readonly clock?: Pick<Clock, 'now'>
  /** Takes the finished lines; standard error by default. */
  readonly write?: (line: string) => void
}

/** A log whose level may be changed while it runs. */
export interface PinoLog extends Log {
  level: LogLevel
  /** Writes what still waits; for the end of the process. */
  flush(): void
}

const ranks: Record<LogLevel, number> = { debug: 20, info: 30, warn: 40, error: 50 }

/** Makes the log of a gateway process. */
export function makePinoLog(options: PinoLogOptions = {}): PinoLog {
  const { format = 'standard', prefix = 'main', clock = { now: Date.now } } = options
  const sink = options.write === undefined ? standardError() : { write: options.write, flush: () => {} }
  const writeLine = format === 'json' ? jsonWriter(sink.write, clock) : standardWriter(sink.write, clock)
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

function standardWriter(write: (line: string) => void, clock: Pick<Clock, 'now'>): WriteLine {
  return (level, message, fields) => write(standardLine(level, message, fields, clock.now()))
}

function jsonWriter(write: (line: string) => void, clock: Pick<Clock, 'now'>): WriteLine {
  const logger = pino(
    {
      // Levels are told apart before, so that a change of level needs no second place.
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

// A field named like the line's own parts would make the line say two things.
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

/** One for all logs of a process, so that many gateways in one do not each listen to its end. */
function standardError(): Sink {
  sharedSink ??= openStandardError()
  return sharedSink
}

function openStandardError(): Sink {
  // A closed standard error (the terminal went away) must not end a gateway.
  process.stderr.on('error', () => undefined)
  const lines = makeBufferedLineWriter(process.stderr)
  process.once('exit', lines.flush)
  return { write: (line) => lines.add(line.replace(/\n$/, '')), flush: lines.flush }
}
