/** What may go wrong with a connection, with the codes by which `faults.ts` tells reasons apart. */

/** The upstream closed the connection, or it was lost. */
export class ConnectionClosed extends Error {
  readonly code = 'ECONNRESET'
  constructor() {
    super('the upstream closed the connection')
  }
}

/** The connection took too long to come about. */
export class ConnectTimeout extends Error {
  readonly code = 'ETIMEDOUT'
  constructor() {
    super('the connection to the upstream did not come about in time')
  }
}

/** What the upstream sent is no answer of HTTP/1.1. */
export class MalformedAnswer extends Error {
  constructor() {
    super('the answer of the upstream is malformed')
  }
}

/** The request has something in its head that must not be sent. */
export class UnsendableRequest extends Error {
  constructor() {
    super('the request cannot be sent: its head would be broken')
  }
}
