/**
 * Access tokens of other authorization servers: verified by their signature, or by introspection
 * (docs/reference/external-oauth.md).
 */
import { type Introspection, makeIntrospect } from '../../auth/external/introspection.ts'
import { makeExternalVerifier, type Verification } from '../../auth/external/verify-external-token.ts'
import { type Rejection, rejections, reword } from '../../http/rejections.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import type { CallTracer } from '../../ports/call-span.ts'
import type { Millis } from '../../ports/clock.ts'
import type { CachedKey } from '../../session/cached-key.ts'
import { makeExternalSessions } from '../../session/external-session.ts'
import { identityKeyName } from '../../session/names/identity-key-name.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeStage, Outcome } from '../contract/stage.ts'
import { hasOwnStage, makeKeyAcceptance } from './accept-key.ts'
import { readCredential, withoutBearer } from './credential.ts'

/** Returns the identity of a token, or why it is rejected. */
type Validate = (token: string, now: Millis, caller: CallTracer | undefined) => Maybe<Validated>
type Validated = { readonly identity: string } | { readonly rejection: Rejection; readonly reason: string }

export const makeExternalOAuth: MakeStage = (compileContext) => {
  const { api, services } = compileContext
  if (!hasOwnStage(api, 'external-oauth')) return null
  const { sessionCache, settings } = services
  const validate = makeValidate(compileContext)
  const makeSession = makeExternalSessions(api, settings)
  const acceptance = makeKeyAcceptance(compileContext, 'external-oauth', 'jwt')
  const { places, provides } = acceptance

  const accept = (entry: CachedKey, context: RequestContext): Outcome =>
    acceptance.isUsable(entry, context) ? acceptance.accept(entry, context) : rejections.keyUnknown

  const settle = (validated: Validated, context: RequestContext): Maybe<Outcome> => {
    if ('rejection' in validated) {
      context.trace?.note(validated.reason)
      return validated.rejection
    }
    const keyName = identityKeyName(validated.identity, api.orgId, settings.keys.hashFunction)
    return when(sessionCache.find(keyName, api.orgId), (entry) =>
      accept(entry ?? makeSession(keyName, context.startedAt), context),
    )
  }

  return {
    run(context) {
      if (context.ignored) return undefined
      const token = withoutBearer(readCredential(context.request, places))
      if (token === '') return rejections.externalMissing
      if (provides) context.credential = token
      return when(validate(token, context.startedAt, context.span), (validated) => settle(validated, context))
    },
  }
}

function makeValidate({ api, services }: CompileContext): Validate {
  const provider = api.document.externalOauth.providers?.[0]
  if (provider === undefined) return () => rejected(rejections.externalNoProvider)
  if (provider.jwt.enabled) {
    const { problem, verify } = makeExternalVerifier(api.id, provider.jwt, services)
    if (problem !== undefined) {
      services.log.warn('every token of an API is rejected', { api: api.id, reason: problem })
    }
    return (token, now, caller) => when(verify(token, now, caller), byVerification)
  }
  if (!provider.introspection.enabled) return () => rejected(rejections.externalNoMethod)
  const { fetch } = services
  if (fetch === undefined) return () => rejected(rejections.externalFailed, 'no server can be called')
  const introspect = makeIntrospect(provider.introspection, fetch)
  return (token, now, caller) => when(introspect(token, now, caller), byIntrospection)
}

function byVerification(verification: Verification): Validated {
  switch (verification.kind) {
    case 'valid':
      return identified(verification.identity)
    case 'rejected':
      return rejected(
        reword(rejections.externalRefused, { message: `token verification failed: ${verification.reason}` }),
      )
    case 'expired':
      return rejected(rejections.externalExpired)
    case 'used-before-issued':
      return rejected(rejections.externalUsedBeforeIssued)
    case 'not-valid-yet':
      return rejected(rejections.externalNotValidYet)
    case 'failed':
      return rejected(rejections.externalFailed, verification.reason)
  }
}

function byIntrospection(result: Introspection): Validated {
  if (result.kind === 'inactive') return rejected(rejections.externalInactive)
  return result.kind === 'active' ? identified(result.identity) : rejected(rejections.externalFailed, result.reason)
}

function identified(identity: string | undefined): Validated {
  return identity === undefined ? rejected(rejections.externalFailed, 'the token has no identity') : { identity }
}

function rejected(rejection: Rejection, reason: string = rejection.message): Validated {
  return { rejection, reason }
}
