/** Sessions of organisations, kept ready in memory. Source: spec/sessions-and-limits.md 3. */
import type { Maybe } from '../../lib/maybe.ts'
import type { Session } from '../../ports/session.ts'
import type { Counter } from '../../ports/store.ts'

export interface OrgEntry {
  readonly session: Session
  readonly inactive: boolean
  readonly counter: Counter
  /** False when the session has access rights that lack the API. */
  opens(apiId: string): boolean
}

export interface OrgRegistry {
  /** The organisation's session; `undefined` when it has none. Absence is remembered too, until a signal. */
  find(orgId: string): Maybe<OrgEntry | undefined>
  forget(orgId: string): void
  forgetAll(): void
}
