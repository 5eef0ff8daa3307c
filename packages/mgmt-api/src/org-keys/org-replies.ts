/** Shared by the calls on organisation sessions. Source: docs/reference/organisation-sessions.md#organisation-enforcement. */

import { failure, type Reply } from '../http/reply.ts'
import type { Call } from '../operation.ts'

export const orgNotFound: Reply = failure(404, 'Org not found')

/** An organisation exists only if it has an API, as in original gateways. */
export function hasNoApi(call: Call): boolean {
  return call.management.definitions().length === 0
}
