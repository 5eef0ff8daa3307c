/**
 * The log of gateways that were given none: warnings and errors on standard error, so that a definition that is left
 * out does not stay a riddle. One for all gateways of a process; it is loaded when the first of them wants it.
 */
import { type Log, silentLog } from '@turnpike/core'

let shared: Promise<Log> | undefined

export function wireLog(given: Log | 'silent' | undefined): Log | Promise<Log> {
  if (given === 'silent') return silentLog
  if (given !== undefined) return given
  shared ??= import('@turnpike/adapters/log-pino').then(({ makePinoLog }) => makePinoLog({ level: 'warn' }))
  return shared
}
