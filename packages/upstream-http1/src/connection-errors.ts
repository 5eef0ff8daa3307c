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

/** The upstream sent bytes that are not a valid HTTP/1.1 response. */
export class MalformedResponse extends Error {
  constructor() {
    super('the response of the upstream is malformed')
  }
}

/** The head of the request contains characters that must not be sent. */
export class UnsendableRequest extends Error {
  constructor() {
    super('the request cannot be sent: its method, path or headers are not valid')
  }
}
