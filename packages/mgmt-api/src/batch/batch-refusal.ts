import type { GatewayResponse } from '@turnpike/core'
import { statusBody } from '../http/reply.ts'

/** Rejects a whole batch call in the form of the management API, as recorded. */
export function batchRefusal(message: string): GatewayResponse {
  return { status: 400, headers: ['content-type', 'application/json'], body: statusBody('error', message) }
}
