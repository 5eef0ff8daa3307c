/**
 * The session of an access token: that of the approval or the user, otherwise that of the client's policy. Pure.
 * Source: docs/reference/oauth-endpoints.md#token-session.
 */

import { isJson, parseJsonObject } from '@turnpike/core/lib'
import { type Session, sessionShape } from '@turnpike/core/ports'
import { applyPolicies, type PolicyBook, parseSession } from '@turnpike/core/session'
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

/** The session to store; `undefined` if there is none. */
export function makeTokenSession(request: TokenSessionRequest, policies: PolicyBook): Session | undefined {
  const session = sessionOf(request, policies) ?? sessionOfPolicy(request, policies)
  if (session === undefined) return undefined
  return {
    ...session,
    oauthClientId: request.client.id,
    expires: request.expires,
    metaData: withClientData(session.metaData, request.client.metaData),
  }
}

/** The session in the user data. */
function sessionOf({ userData, orgId }: TokenSessionRequest, policies: PolicyBook): Session | undefined {
  const given = parseJsonObject(userData)
  const session = given && parseSession(given).session
  return session && withPolicies(session, policies, orgId)
}

function sessionOfPolicy({ client, orgId }: TokenSessionRequest, policies: PolicyBook): Session | undefined {
  if (client.policyId === '') return undefined
  const policy = policies.find(client.policyId, orgId) ?? policies.get(client.policyId)
  if (policy === undefined) return undefined
  const given: Session = {
    ...sessionShape.zero(),
    orgId: policy.orgId,
    allowance: policy.rate,
    rate: policy.rate,
    per: policy.per,
    throttleInterval: policy.throttleInterval,
    throttleRetryLimit: policy.throttleRetryLimit,
    quotaMax: policy.quotaMax,
    quotaRenewalRate: policy.quotaRenewalRate,
    maxQueryDepth: policy.maxQueryDepth,
    accessRights: policy.accessRights,
    tags: policy.tags,
    isInactive: policy.isInactive,
    applyPolicies: [client.policyId],
  }
  return withPolicies(given, policies, orgId)
}

/**
 * The session with its policies where they can be applied. Otherwise the token is issued as well, and is rejected when it
 * is used.
 */
function withPolicies(session: Session, policies: PolicyBook, orgId: string): Session {
  const applied = applyPolicies(session, policies, { orgId })
  return applied.problem === undefined ? applied.session : session
}

/** Adds entries of the client that the session does not have. */
function withClientData(own: Session['metaData'], ofClient: unknown): Session['metaData'] {
  if (!isJson(ofClient)) return own
  const merged: Record<string, unknown> = Object.create(null)
  for (const layer of [ofClient, own ?? {}]) {
    for (const name of Object.keys(layer)) merged[name] = layer[name]
  }
  return merged
}
