/** Extra facts of a log line. Credentials never go in here, not even for debug: see `lib/hash/key-hash.ts`. */
export type LogFields = Readonly<Record<string, unknown>>

/** Where the engine tells what an operator should know. */
export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

/** A log that keeps nothing. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }
