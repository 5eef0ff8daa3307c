/** Extra fields of a log line. They never contain credentials, not even at debug level. */
export type LogFields = Readonly<Record<string, unknown>>

/** The engine's log for operators. */
export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

/** A log that discards everything. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }
