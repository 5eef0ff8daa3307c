/**
 * Finds the session of a credential, with policies applied and grants compiled, and keeps it ready in memory.
 * Source: spec/sessions-and-limits.md 1.1, 4.3; design.md "State".
 */

import type { ApiDefinition } from '../../definition/api-definition.ts'
import type { Maybe } from '../../lib/maybe.ts'
import type { Session } from '../../ports/session.ts'
import type { Counter } from '../../ports/store.ts'
import type { ApiAccess } from '../api-access.ts'

export interface KeyEntry {
  /** Full name of the key. Secret: never logged. */
  readonly keyName: string
  /** Name it is stored under: the full name or its hash. */
  readonly storedName: string
  /** Hash of the key, fit for logs. */
  readonly logName: string
  /** With policies applied, except where they fail. Put together at the first call. */
  readonly session: Session
  /** As the session says. */
  readonly isInactive: boolean
  /** Why its policies cannot be applied; the key then counts as unknown (4.4). */
  readonly policyProblem: string | undefined
  /** In ms, `undefined`: never. */
  readonly expiresAt: number | undefined
  /** `quota_renews` as stored, in Unix seconds. */
  readonly quotaRenews: number
  /** What the key may do on the API; `undefined`: nothing. Compiled at the first call. */
  accessTo(api: ApiDefinition): ApiAccess | undefined
  /** The counter of the key on an API to which it has this access. Built at the first call. */
  counterOn(api: ApiDefinition, access: ApiAccess): Counter
}

export interface Keyring {
  /**
   * The key that a client named on an API of this organisation; `undefined` when there is none.
   * Answers without a promise when the session is in memory or the store is synchronous.
   */
  find(credential: string, orgId: string): Maybe<KeyEntry | undefined>
  /** Forgets what is held of a stored session: it was changed or removed. */
  forget(storedName: string): void
  /** Policies or definitions were replaced: everything is compiled anew at its next use. */
  renew(): void
}
