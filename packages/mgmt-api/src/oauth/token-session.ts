/**
 * The session of an access token: what the approval or the user brought, else what the client's policy gives. Pure.
 * Source: docs/reference/oauth-endpoints.md#token-session.
 */

import { applyPolicies, type PolicyBook, parseSession, type Session, sessionShape } from '@turnpike/core'
import type { OAuthClient } from './oauth-records.ts'

export interface TokenSessionWish {
  readonly client: OAuthClient
  /** JSON of a session; empty, or no session: the client's policy decides. */
  readonly userData: string
  /** Organisation of the API. */
  readonly orgId: string
  /** Unix seconds. */
  readonly expires: number
}

export interface TokenSessionFacts {
  readonly policies: PolicyBook
  /** Whether a session without access rights opens everything; else it is refused. */
  readonly allowMasterKeys: boolean
}

/** The session to be stored; `undefined`: none can be made. */
export function makeTokenSession(wish: TokenSessionWish, facts: TokenSessionFacts): Session | undefined {
  const given = sessionOf(wish.userData, wish.orgId) ?? sessionOfPolicy(wish, facts.policies)
  if (given === undefined) return undefined
  const { session, problem } = applyPolicies(given, facts.policies, { orgId: wish.orgId })
  if (problem !== undefined) return undefined
  if (Object.keys(session.accessRights ?? {}).length === 0 && !facts.allowMasterKeys) return undefined
  return {
    ...session,
    oauthClientId: wish.client.id,
    expires: wish.expires,
    metaData: withClientData(session.metaData, wish.client.metaData),
  }
}

/** A session that names no organisation is one of the API's. */
function sessionOf(userData: string, orgId: string): Session | undefined {
  if (userData === '') return undefined
  const value = readJsonText(userData)
  if (value === undefined || value === null) return undefined
  const { session } = parseSession(value)
  return session === undefined ? undefined : { ...session, orgId: session.orgId === '' ? orgId : session.orgId }
}

function sessionOfPolicy({ client, orgId }: TokenSessionWish, policies: PolicyBook): Session | undefined {
  if (client.policyId === '') return undefined
  const policy = policies.find(client.policyId, orgId) ?? policies.get(client.policyId)
  if (policy === undefined) return undefined
  return {
    ...sessionShape.zero(),
    orgId: policy.orgId,
    allowance: policy.rate,
    isInactive: policy.isInactive,
    applyPolicies: [client.policyId],
  }
}

/** Entries of the client where the session has none of that name. */
function withClientData(own: Session['metaData'], ofClient: unknown): Session['metaData'] {
  if (typeof ofClient !== 'object' || ofClient === null || Array.isArray(ofClient)) return own
  const merged: Record<string, unknown> = Object.create(null)
  for (const layer of [ofClient as Record<string, unknown>, own ?? {}]) {
    for (const name of Object.keys(layer)) merged[name] = layer[name]
  }
  return merged
}

function readJsonText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
