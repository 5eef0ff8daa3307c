import { StoreUnavailableError } from '@turnpike/core/ports'
import { failure, type Reply } from './reply.ts'

/** The response to a call whose write failed: 503 with the reason if the disk is unavailable, otherwise 500. */
export function failedWrite(error: unknown, otherwise: string): Reply {
  const isOutage = error instanceof StoreUnavailableError
  return isOutage ? failure(503, `Storage is not available: ${error.message}`) : failure(500, otherwise)
}
