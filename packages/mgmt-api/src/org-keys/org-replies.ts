/** What the calls on organisation sessions share. Source: spec/sessions-and-limits.md 3. */

import { failure, type Reply } from '../http/reply.ts'
import type { Call } from '../operation.ts'

export const orgNotFound: Reply = failure(404, 'Org not found')

/** Without any API there is no organisation either, as recorded. */
export function hasNoApi(call: Call): boolean {
  return call.management.definitions().length === 0
}
