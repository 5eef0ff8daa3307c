/** Finds or creates the session for the claims of a verified token (docs/reference/jwt.md#jwt-sessions). */

import { expiresOf } from '../../auth/jwt/check-times.ts'
import { choosePolicies, type PolicyChoice, type PolicyRules } from '../../auth/jwt/choose-policies.ts'
import { identityOf } from '../../auth/jwt/identity-claim.ts'
import { type Claims, textClaim } from '../../auth/jwt/read-claims.ts'
import { makeTokenSessions, tokenKeyName } from '../../auth/jwt/token-sessions.ts'
import type { VerifiedToken } from '../../auth/jwt/verified-token-cache.ts'
import { jwtSchemeIn } from '../../definition/openapi/jwt-scheme.ts'
import { type Rejection, rejections, reword } from '../../http/rejections.ts'
import { textsOf } from '../../lib/json.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import type { CachedKey } from '../../session/cached-key.ts'
import { policyIdsOf } from '../../session/policies/policies-of-session.ts'
import { emptyPolicyBook } from '../../session/policies/policy-book.ts'
import type { CompileContext } from '../contract/stage.ts'

type Identify = (checked: VerifiedToken) => Maybe<CachedKey | Rejection>

const choiceRejections: Readonly<Record<Exclude<PolicyChoice['kind'], 'policies'>, Rejection>> = {
  'unknown-policy': rejections.jwtPolicyUnknown,
  'no-policy': rejections.jwtNoPolicy,
  'scope-unmapped': rejections.jwtScopeUnmapped,
  'no-scope-or-policy': rejections.jwtNoScopeOrPolicy,
}

const clientIdClaims = ['clientId', 'cid', 'client_id'] as const

/** Returns the session of a token; creates or updates it if it differs from the claims. */
export function makeJwtIdentity({ api, services }: CompileContext): Identify {
  const { document, orgId } = api
  const policies = services.policies ?? (() => emptyPolicyBook)
  const sessions = makeTokenSessions(api, { ...services, policies })
  const scheme = jwtSchemeIn(api.oas, services.settings.vendor)
  const rules = rulesOf(api, listedClaims(document.jwtPolicyFieldName, scheme?.['basePolicyClaims']))
  const identityFields = listedClaims(document.jwtIdentityBaseField, scheme?.['subjectClaims'])
  const { jwtClientBaseField: clientField } = document
  const { minTokenLength } = services.settings.keys

  const decide = (
    checked: VerifiedToken,
    keyName: string,
    identity: string,
    entry: CachedKey | undefined,
    clientPolicies: readonly string[],
  ): Maybe<CachedKey | Rejection> => {
    const { claims } = checked.token
    const choice = choosePolicies(rules, { claims, clientPolicies, isKnown: entry !== undefined }, policies())
    if (choice.kind !== 'policies') return choiceRejections[choice.kind]
    const settled = sessions.settle(keyName, entry, {
      identity,
      policyIds: choice.ids,
      expires: expiresOf(claims),
      oauthClientId: document.idpClientIdMappingDisabled ? '' : clientIdOf(claims),
    })
    return when(settled, (made) => {
      // Policies of the key of a client can change without a change of this session, so the result is not remembered.
      if (clientField === '') {
        checked.settled = made
        checked.keyName = keyName
      }
      return made ?? rejections.keyUnknown
    })
  }

  const find = (checked: VerifiedToken): Maybe<CachedKey | Rejection> => {
    const { claims } = checked.token
    const identity = identityOf(claims, identityFields)
    if (identity.kind === 'missing') return rejections.jwtIdentityMissing
    if (identity.kind === 'empty-field') return emptyField(identity.field)
    if (identity.kind === 'empty-subject') return rejections.jwtIdentityEmpty
    const keyName = tokenKeyName(identity.value, orgId, services.settings)
    return when(sessions.find(keyName), (entry) => {
      const client = textClaim(claims, clientField) ?? ''
      if (client.length <= minTokenLength) return decide(checked, keyName, identity.value, entry, [])
      return when(services.sessionCache.find(client, orgId), (owner) =>
        decide(checked, keyName, identity.value, entry, owner === undefined ? [] : policyIdsOf(owner.session)),
      )
    })
  }

  return (checked) => {
    const { settled, keyName } = checked
    if (settled === undefined || keyName === undefined) return find(checked)
    return when(sessions.find(keyName), (entry) => (entry === settled ? settled : find(checked)))
  }
}

function emptyField(field: string): Rejection {
  const message = `found an empty user ID in predefined base claim, claim: ${field}`
  return reword(rejections.jwtIdentityEmpty, { message })
}

/** A definition has one name. An OpenAPI document may list several, and its first one is that of the definition. */
function listedClaims(name: string, listed: unknown): readonly string[] {
  const names = textsOf(listed)
  return names.includes(name) ? names : [name]
}

function rulesOf({ document, orgId }: CompileContext['api'], policyFields: readonly string[]): PolicyRules {
  const { scopeClaimName, scopeToPolicy } = document.scopes.jwt
  const mapping = Object.keys(scopeToPolicy ?? {}).length > 0 ? scopeToPolicy : document.jwtScopeToPolicyMapping
  return {
    orgId,
    policyFields,
    defaultPolicies: document.jwtDefaultPolicies ?? [],
    scopeClaim: scopeClaimName || document.jwtScopeClaimName || 'scope',
    scopeToPolicy: new Map(Object.entries(mapping ?? {}).map(([scope, policy]) => [scope, [policy]])),
  }
}

/** Returns the OAuth client of the token, from the first known claim that is set. */
function clientIdOf(claims: Claims): string {
  for (const name of clientIdClaims) {
    const value = textClaim(claims, name)
    if (value !== undefined && value !== '') return value
  }
  return ''
}
