/**
 * Which request may go out once more after its connection went away. Asked only when the connection was kept from an
 * earlier call and no byte of an answer came: the upstream most likely closed it while the request was on its way.
 * It cannot be told for certain, so only what is safe goes out again (RFC 9110, 9.2.1): nothing is done twice.
 */
import { isConnectionLoss } from './faults.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** Whether a request without a body that failed with this error may be sent again. */
export function isRepeatable(method: string, error: unknown): boolean {
  return safeMethods.has(method) && isConnectionLoss(error)
}
