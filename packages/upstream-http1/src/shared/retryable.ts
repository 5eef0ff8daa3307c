/**
 * Decides whether a request may be sent again after its connection was closed. It is used only if the connection was
 * reused and no byte of a response arrived: most likely the upstream closed the idle connection while the request was in
 * transit. That is not certain, so only safe methods (RFC 9110 section 9.2.1) are retried.
 */
import { isConnectionLoss } from './upstream-errors.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** Returns true if a request without a body that failed with this error may be sent again. */
export function isRetryable(method: string, error: unknown): boolean {
  return safeMethods.has(method) && isConnectionLoss(error)
}
