/** Errors of connections, with the codes that `shared/upstream-errors.ts` maps to reasons. */

/** The upstream closed the connection, or it was lost. */
export class ConnectionClosed extends Error {
  readonly code = 'ECONNRESET'
  constructor() {
    super('the upstream closed the connection')
  }
}

/** The connection was not opened in time. */
export class ConnectTimeout extends Error {
  readonly code = 'ETIMEDOUT'
  constructor() {
    super('the connection to the upstream was not opened in time')
  }
}
