/** The working state of `applyPolicies`: a copy of the session, and the access right of each API so far. */

import type { AccessRight, Session } from '../../ports/session.ts'
import { emptyRight } from './merge-access-rights.ts'

/** The access right of one API so far. */
export interface ApiDraft {
  right: AccessRight
  granted: boolean
  hasQuota: boolean
  hasRate: boolean
  hasComplexity: boolean
  /** The policy that set the limits: the counter scope if limits of the session come from several policies. */
  setBy: string
}

/** A session while its policies are applied. */
export interface Draft {
  readonly session: Session
  readonly apis: Map<string, ApiDraft>
  hasPerApi: boolean
  hasPartitioned: boolean
}

/** Keeps the counter values of the session's entry, if that entry has a limit. */
export function keepingState(draft: Draft, apiId: string, limit: AccessRight['limit']): AccessRight['limit'] {
  const own = draft.session.accessRights
  const held = own !== null && Object.hasOwn(own, apiId) ? own[apiId]?.limit : undefined
  if (held === undefined) return limit
  limit.quotaRenews = held.quotaRenews
  limit.quotaRemaining = held.quotaRemaining
  return limit
}

/** Finds or creates the draft of an API. */
export function draftOf(draft: Draft, apiId: string): ApiDraft {
  const known = draft.apis.get(apiId)
  if (known !== undefined) return known
  const right = emptyRight()
  keepingState(draft, apiId, right.limit)
  const fresh = { right, granted: false, hasQuota: false, hasRate: false, hasComplexity: false, setBy: '' }
  draft.apis.set(apiId, fresh)
  return fresh
}
