/**
 * The default log of gateways created in code: warnings and errors on standard error, so that a skipped definition is
 * visible. All gateways of a process share one logger, which is loaded on first use.
 */
import { type Log, silentLog } from '@turnpike/core/ports'

let shared: Promise<Log> | undefined

export function wireLog(given: Log | 'silent' | undefined): Log | Promise<Log> {
  if (given === 'silent') return silentLog
  if (given !== undefined) return given
  shared ??= import('@turnpike/adapters/log-pino').then(({ makePinoLog }) => makePinoLog({ level: 'warn' }))
  return shared
}
