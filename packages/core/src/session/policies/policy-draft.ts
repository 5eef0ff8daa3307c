/** The working state of `applyPolicies`: a session of its own, and what was decided for each API. */

import type { AccessRight, Session } from '../../ports/session.ts'
import { emptyRight } from './merge-rights.ts'

/** What was decided for one API so far. */
export interface ApiDraft {
  right: AccessRight
  granted: boolean
  hasQuota: boolean
  hasRate: boolean
  hasComplexity: boolean
  /** What would be the scope of its counters if limits come from more than one place. */
  setBy: string
}

/** A session while its policies are applied. */
export interface Draft {
  readonly session: Session
  readonly apis: Map<string, ApiDraft>
  hasPerApi: boolean
  hasPartitioned: boolean
}

/** What the counters wrote into the session's own entry stays, where that entry has a limit. */
export function keepingState(draft: Draft, apiId: string, limit: AccessRight['limit']): AccessRight['limit'] {
  const own = draft.session.accessRights
  const held = own !== null && Object.hasOwn(own, apiId) ? own[apiId]?.limit : undefined
  if (held === undefined) return limit
  limit.quotaRenews = held.quotaRenews
  limit.quotaRemaining = held.quotaRemaining
  return limit
}

/** The draft of an API, a fresh one at its first mention. */
export function draftOf(draft: Draft, apiId: string): ApiDraft {
  const known = draft.apis.get(apiId)
  if (known !== undefined) return known
  const right = emptyRight()
  keepingState(draft, apiId, right.limit)
  const fresh = { right, granted: false, hasQuota: false, hasRate: false, hasComplexity: false, setBy: '' }
  draft.apis.set(apiId, fresh)
  return fresh
}
