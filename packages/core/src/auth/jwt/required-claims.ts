/**
 * Checks the claims of a token that an OpenAPI document requires: issuer, audience, token id, subject and custom claims, in this order. The
 * times are checked in `check-times.ts`.
 * Source: docs/reference/jwt.md#json-web-tokens.
 */

import { isOn, type Json, listOf, memberOf, objectOf, textsOf } from '../../lib/json.ts'
import { type Claims, claimOf } from './read-claims.ts'

/** Returns why a token is rejected; `undefined` if its claims are valid. */
export type CheckClaims = (claims: Claims) => string | undefined

/** Compiles the claim rules of a JWT security scheme; `undefined` if it has none. */
export function makeClaimRules(scheme: Json): CheckClaims | undefined {
  const issuers = textsOf(scheme['allowedIssuers'])
  const audiences = textsOf(scheme['allowedAudiences'])
  const subjects = textsOf(scheme['allowedSubjects'])
  const rules: CheckClaims[] = []
  if (issuers.length > 0) rules.push((claims) => issuerProblem(claims, issuers))
  if (audiences.length > 0) rules.push((claims) => audienceProblem(claims, audiences))
  if (isOn(scheme['jtiValidation'])) rules.push(tokenIdProblem)
  if (subjects.length > 0) rules.push((claims) => subjectProblem(claims, subjects))
  for (const [name, rule] of Object.entries(objectOf(scheme['customClaimValidation']))) {
    if (isOn(rule) && memberOf(rule, 'nonBlocking') !== true)
      rules.push((claims) => customClaimProblem(claims, name, rule))
  }
  if (rules.length === 0) return undefined
  return (claims) => {
    for (const rule of rules) {
      const problem = rule(claims)
      if (problem !== undefined) return problem
    }
    return undefined
  }
}

function issuerProblem(claims: Claims, allowed: readonly string[]): string | undefined {
  const issuer = claims['iss']
  if (typeof issuer !== 'string' || issuer === '') return 'issuer claim is required but not present in token'
  return allowed.includes(issuer) ? undefined : `invalid issuer claim: ${issuer}`
}

function audienceProblem(claims: Claims, allowed: readonly string[]): string | undefined {
  const given = typeof claims['aud'] === 'string' ? [claims['aud']] : textsOf(claims['aud'])
  if (given.length === 0) return 'audience claim is required but not present in token'
  if (given.some((audience) => allowed.includes(audience))) return undefined
  return `no matching audience found in token: [${given.join(' ')}]`
}

function tokenIdProblem(claims: Claims): string | undefined {
  const id = claims['jti']
  const isGiven = (typeof id === 'string' && id !== '') || typeof id === 'number'
  return isGiven ? undefined : 'JWT ID (jti) claim is required but not present in token'
}

function subjectProblem(claims: Claims, allowed: readonly string[]): string | undefined {
  const subject = typeof claims['sub'] === 'string' ? claims['sub'] : ''
  return allowed.includes(subject) ? undefined : `invalid subject value: ${subject}`
}

/** Checks a rule of type `required`, `exact_match` or `contains`; a rule of an unknown type rejects the token. */
function customClaimProblem(claims: Claims, name: string, rule: unknown): string | undefined {
  const value = claimOf(claims, name)
  if (value === undefined || value === null) return `claim ${name} is required but not present in token`
  const allowed = listOf(memberOf(rule, 'allowedValues'))
  const holds = (wanted: unknown): boolean =>
    Array.isArray(value)
      ? value.includes(wanted)
      : typeof value === 'string' && typeof wanted === 'string' && value.includes(wanted)
  switch (memberOf(rule, 'type')) {
    case 'required':
      return undefined
    case 'exact_match':
      return allowed.includes(value) ? undefined : `claim ${name} has no allowed value`
    case 'contains':
      return allowed.some(holds) ? undefined : `claim ${name} has no allowed value`
    default:
      return `claim ${name} cannot be checked`
  }
}
