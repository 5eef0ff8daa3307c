/**
 * JSON web tokens (docs/reference/jwt.md, docs/differences.md#oauth-and-json-web-tokens): parses the token, finds the
 * key, verifies the signature (remembered for later requests), and checks the times and the required claims. Then the
 * session is either the key that the token names, or is made from its claims (`jwt-identity.ts`).
 */

import { decideTimes, type TimeProblem } from '../../auth/jwt/check-times.ts'
import { claimSettings, listedKeySets, unboundKeySet } from '../../auth/jwt/claim-settings.ts'
import { type FoundKey, makeKeySource } from '../../auth/jwt/key-source.ts'
import { makeClaimRules } from '../../auth/jwt/required-claims.ts'
import { makeVerifiedTokenCache, type VerifiedToken } from '../../auth/jwt/verified-token-cache.ts'
import { type Rejection, rejections, reword } from '../../http/rejections.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import type { ParsedToken } from '../../ports/token-verifier.ts'
import type { CachedKey } from '../../session/cached-key.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeStage, Outcome, Stage, Unnamed } from '../contract/stage.ts'
import { withBearerErrors } from '../shared/bearer-errors.ts'
import { hasOwnStage, makeKeyAcceptance } from './accept-key.ts'
import { readCredential, withoutBearer } from './credential.ts'
import { makeJwtIdentity } from './jwt-identity.ts'

const timeRejections: Readonly<Record<TimeProblem, Rejection>> = {
  expired: rejections.jwtExpired,
  'used-before-issued': rejections.jwtUsedBeforeIssued,
  'not-valid-yet': rejections.jwtNotValidYet,
}

export const makeJwt: MakeStage = (compileContext) => {
  const { api, services } = compileContext
  if (!hasOwnStage(api, 'jwt')) return null
  const { document } = api
  const { vendor } = services.settings
  const source = makeKeySource(api, services, listedKeySets(api, vendor))
  warnAboutSource(compileContext, source.problem)
  const verifiedTokens = makeVerifiedTokenCache()
  const identify = makeJwtIdentity(compileContext)
  const acceptance = makeKeyAcceptance(compileContext, 'jwt', 'jwt')
  const { places, provides } = acceptance
  const decideClaims = makeClaimRules(claimSettings(api, vendor))
  const skews = {
    expires: document.jwtExpiresAtValidationSkew,
    issuedAt: document.jwtIssuedAtValidationSkew,
    notBefore: document.jwtNotBeforeValidationSkew,
  }

  const accept = (entry: CachedKey | Rejection, token: ParsedToken, context: RequestContext): Outcome => {
    if ('kind' in entry) return entry
    if (!acceptance.isUsable(entry, context)) return rejections.keyUnknown
    context.token = { text: token.text, keyName: entry.keyName }
    return acceptance.accept(entry, context)
  }

  const check = (
    token: ParsedToken,
    known: VerifiedToken | undefined,
    found: FoundKey | undefined,
    context: RequestContext,
  ): Maybe<Outcome> => {
    if (found === undefined) {
      context.trace?.note('no key for this token')
      return rejections.jwtRefused
    }
    const isKnown = known !== undefined && known.key === found.key
    if (!isKnown && !found.key.verifies(token)) {
      context.trace?.note('the signature is wrong')
      return rejections.jwtRefused
    }
    const checked = isKnown ? known : verifiedTokens.add(token, found.key, services.clock.now())
    const problem = decideTimes(token.claims, skews, context.startedAt)
    if (problem !== undefined) return timeRejections[problem]
    const unfit = decideClaims?.(token.claims)
    if (unfit !== undefined) return reword(rejections.jwtClaim, { message: `Key not authorized: ${unfit}` })
    if (!source.isCentral)
      return found.owner === undefined ? rejections.jwtRefused : accept(found.owner, token, context)
    return when(identify(checked), (entry) => accept(entry, token, context))
  }

  const stage: Unnamed<Stage> = {
    run(context) {
      if (context.ignored) return undefined
      const text = withoutBearer(readCredential(context.request, places))
      if (text === '') return rejections.jwtMissing
      if (provides) context.credential = text
      const known = verifiedTokens.get(text, context.startedAt)
      const token = known?.token ?? services.tokenVerifier?.parse(text)
      if (token === undefined || token.family === 'unknown') return rejections.jwtRefused
      if (token.family !== source.family) return rejections.jwtMethod
      return when(source.find(token, context.span), (found) => check(token, known, found, context))
    },
  }
  return withBearerErrors(stage, api, services.settings.bearerErrors?.jwt)
}

function warnAboutSource({ api, services }: CompileContext, reason: string | undefined): void {
  if (reason !== undefined) services.log.warn('every token of an API is rejected', { api: api.id, reason })
  if (unboundKeySet(api, services.settings.vendor) === undefined) return
  const fix = 'set jwt_allowed_issuers and jwt_allowed_audiences'
  services.log.warn('an API accepts every token of its key set', { api: api.id, fix })
}
