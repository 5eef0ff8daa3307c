/** Which key a call means. Source: docs/reference/key-management.md#query-parameters-of-key-calls, docs/reference/key-management.md#key-endpoints. */
import type { KeyAddress } from '@turnpike/core'
import { type Call, queryOf } from '../operation.ts'

/** The address without the organisation, whose source depends on the method. */
export function addressOf(call: Call, name: string): KeyAddress {
  return { name, stored: queryOf(call, 'hashed') !== '', username: queryOf(call, 'username') === 'true' }
}
