/** What the calls on organisation sessions share. Source: docs/reference/organisation-sessions.md#organisation-enforcement. */

import { failure, type Reply } from '../http/reply.ts'
import type { Call } from '../operation.ts'

export const orgNotFound: Reply = failure(404, 'Org not found')

/** Without any API there is no organisation either, as recorded. */
export function hasNoApi(call: Call): boolean {
  return call.management.definitions().length === 0
}
