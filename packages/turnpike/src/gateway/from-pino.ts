import type { Log } from '@turnpike/core/ports'

/** The methods of a pino-compatible logger that a gateway calls. */
export interface PinoLike {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Adapts a pino logger, for `createGateway({ log: fromPino(logger) })`. */
export function fromPino(logger: PinoLike): Log {
  return {
    debug: (message, fields = {}) => logger.debug(fields, message),
    info: (message, fields = {}) => logger.info(fields, message),
    warn: (message, fields = {}) => logger.warn(fields, message),
    error: (message, fields = {}) => logger.error(fields, message),
  }
}
