/**
 * The session of an access token: that of the approval or the user, otherwise that of the client's policy. Pure.
 * Source: docs/reference/oauth-endpoints.md#token-session.
 */

import { applyPolicies, type PolicyBook, parseSession, type Session, sessionShape } from '@turnpike/core'
import type { OAuthClient } from './oauth-records.ts'

export interface TokenSessionRequest {
  readonly client: OAuthClient
  /** JSON of a session; if it is empty or not a session, the client's policy decides. */
  readonly userData: string
  /** Organisation of the API. */
  readonly orgId: string
  /** Unix seconds. */
  readonly expires: number
}

export interface TokenSessionFacts {
  readonly policies: PolicyBook
  /** True: a session without access rights grants access to all APIs. False: it is rejected. */
  readonly allowMasterKeys: boolean
}

/** The session to store; `undefined` if there is none. */
export function makeTokenSession(request: TokenSessionRequest, facts: TokenSessionFacts): Session | undefined {
  const given = sessionOf(request.userData, request.orgId) ?? sessionOfPolicy(request, facts.policies)
  if (given === undefined) return undefined
  const { session, problem } = applyPolicies(given, facts.policies, { orgId: request.orgId })
  if (problem !== undefined) return undefined
  if (Object.keys(session.accessRights ?? {}).length === 0 && !facts.allowMasterKeys) return undefined
  return {
    ...session,
    oauthClientId: request.client.id,
    expires: request.expires,
    metaData: withClientData(session.metaData, request.client.metaData),
  }
}

/** A session without an organisation gets that of the API. */
function sessionOf(userData: string, orgId: string): Session | undefined {
  if (userData === '') return undefined
  const value = readJsonText(userData)
  if (value === undefined || value === null) return undefined
  const { session } = parseSession(value)
  return session === undefined ? undefined : { ...session, orgId: session.orgId === '' ? orgId : session.orgId }
}

function sessionOfPolicy({ client, orgId }: TokenSessionRequest, policies: PolicyBook): Session | undefined {
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

/** Adds entries of the client that the session does not have. */
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
