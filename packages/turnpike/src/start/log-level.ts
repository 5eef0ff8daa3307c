/** The level of the log of `turnpike start`. */
import type { LogLevel } from '@turnpike/adapters/log-pino'
import type { Io } from '../terminal/io.ts'
import type { StartOptions } from './start-options.ts'

/**
 * At a terminal the reporter prints starts and reloads, so the default log level is `warn` there. With `--quiet` it is
 * `error`. A configured level other than the default takes precedence.
 */
export function logLevelOf(
  { logLevel }: { readonly logLevel: LogLevel },
  { quiet }: Pick<StartOptions, 'quiet'>,
  { isTerminal }: Pick<Io, 'isTerminal'>,
): LogLevel {
  if (logLevel !== 'info') return logLevel
  return quiet === true ? 'error' : isTerminal ? 'warn' : 'info'
}
