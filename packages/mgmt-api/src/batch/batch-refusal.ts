import type { GatewayResponse } from '@turnpike/core'
/** Refusals of a batch call as a whole: in the form of the management API, as recorded. */

export function batchRefusal(message: string): GatewayResponse {
  const body = `${JSON.stringify({ status: 'error', message })}\n`
  return { status: 400, headers: ['content-type', 'application/json'], body }
}
