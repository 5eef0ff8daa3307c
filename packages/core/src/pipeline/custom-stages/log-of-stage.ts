import type { Log, LogFields } from '../../ports/log.ts'

/** The log with fields that every line gets. */
export function logOfStage(log: Log, own: LogFields): Log {
  return {
    debug: (message, fields) => log.debug(message, { ...own, ...fields }),
    info: (message, fields) => log.info(message, { ...own, ...fields }),
    warn: (message, fields) => log.warn(message, { ...own, ...fields }),
    error: (message, fields) => log.error(message, { ...own, ...fields }),
  }
}
