/**
 * ID tokens of OpenID Connect: the session belongs to the subject, and its policy to the client
 * (docs/reference/openid-connect.md).
 */

import { expiresOf } from '../../auth/jwt/check-times.ts'
import { choosePolicies, type PolicyRules } from '../../auth/jwt/choose-policies.ts'
import { makeTokenSessions } from '../../auth/jwt/token-sessions.ts'
import { makeDiscoverKeys } from '../../auth/openid/discover-keys.ts'
import { type IdToken, makeVerifyIdToken, type VerifyIdToken } from '../../auth/openid/verify-id-token.ts'
import { rejections } from '../../http/rejections.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import type { CachedKey } from '../../session/cached-key.ts'
import { clientIdentityKeyName, identityKeyName } from '../../session/names/identity-key-name.ts'
import { emptyPolicyBook } from '../../session/policies/policy-book.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeStage, Outcome } from '../contract/stage.ts'
import { hasOwnStage, makeKeyAcceptance } from './accept-key.ts'
import { readCredential, withoutBearer } from './credential.ts'

export const makeOpenId: MakeStage = (compileContext) => {
  const { api } = compileContext
  if (!hasOwnStage(api, 'openid')) return null
  const verify = makeVerify(compileContext)
  const findSession = makeFindSession(compileContext)
  const acceptance = makeKeyAcceptance(compileContext, 'openid', 'jwt')
  const { places, provides } = acceptance

  const reject = (context: RequestContext, reason: string): Outcome => {
    context.trace?.note(reason)
    return rejections.openidRefused
  }

  const accept = (entry: CachedKey | string, text: string, context: RequestContext): Outcome => {
    if (typeof entry === 'string') return reject(context, entry)
    if (!acceptance.isUsable(entry, context)) return rejections.openidRefused
    context.token = { text, keyName: entry.keyName }
    return acceptance.accept(entry, context)
  }

  return {
    run(context) {
      if (context.ignored) return undefined
      const text = withoutBearer(readCredential(context.request, places))
      if (text === '') return reject(context, 'no token')
      if (provides) context.credential = text
      return when(verify(text, context.startedAt), (token) =>
        typeof token === 'string'
          ? reject(context, token)
          : when(findSession(token), (entry) => accept(entry, text, context)),
      )
    },
  }
}

/** Without the services that it needs the API rejects every token. */
function makeVerify({ api, services }: CompileContext): VerifyIdToken {
  const { tokenVerifier, keySets, fetch, clock, log } = services
  if (tokenVerifier === undefined || keySets === undefined || fetch === undefined) {
    log.warn('every token of an API is rejected', { api: api.id, reason: 'key sets cannot be fetched here' })
    return () => 'key sets cannot be fetched here'
  }
  const discoverKeys = makeDiscoverKeys({ fetch, clock, log })
  return makeVerifyIdToken(api.id, api.document.openidOptions, { tokenVerifier, keySets, discoverKeys })
}

/** Finds or creates the session of the subject, with the policies of the client or of the token's scopes. */
function makeFindSession({ api, services }: CompileContext): (token: IdToken) => Maybe<CachedKey | string> {
  const { document, orgId } = api
  const { hashFunction } = services.settings.keys
  const policies = services.policies ?? (() => emptyPolicyBook)
  const sessions = makeTokenSessions(api, { ...services, policies })
  const { scopeClaimName, scopeToPolicy } = document.scopes.oidc
  const rules: Omit<PolicyRules, 'defaultPolicies'> = {
    orgId,
    policyFields: [],
    scopeClaim: scopeClaimName || 'scope',
    scopeToPolicy: new Map(Object.entries(scopeToPolicy ?? {}).map(([scope, policy]) => [scope, [policy]])),
  }
  const nameOf = ({ identity, clientId }: IdToken): string =>
    document.openidOptions.segregateByClient
      ? clientIdentityKeyName(identity, clientId, orgId, hashFunction)
      : identityKeyName(identity, orgId, hashFunction)

  return (token) => {
    const { claims, identity, clientId, policyId } = token
    const keyName = nameOf(token)
    return when(sessions.find(keyName), (entry) => {
      const defaultPolicies = policyId === '' ? [] : [policyId]
      const facts = { claims, clientPolicies: [], isKnown: entry !== undefined }
      const choice = choosePolicies({ ...rules, defaultPolicies }, facts, policies())
      if (choice.kind !== 'policies') return `policies: ${choice.kind}`
      const rights = { identity, policyIds: choice.ids, expires: expiresOf(claims), oauthClientId: clientId }
      return when(sessions.settle(keyName, entry, rights), (made) => made ?? 'the policies cannot be applied')
    })
  }
}
