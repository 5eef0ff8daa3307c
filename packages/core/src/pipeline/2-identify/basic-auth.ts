/**
 * Basic authentication: keys with a password (docs/reference/authentication.md#basic-authentication, RFC 7617).
 * Credentials are read from the header and, if the API allows it, otherwise from the body.
 */
import { credentialPlacesOf } from '../../definition/auth-modes/auth-modes.ts'
import { type Rejection, rejections, reword } from '../../http/rejections.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import type { CachedKey } from '../../session/cached-key.ts'
import { makePasswordCheck } from '../../session/password-check.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeStage, Outcome } from '../contract/stage.ts'
import { guessAddressOf } from '../shared/client-address.ts'
import { withRequestBody } from '../shared/request-body.ts'
import { makeKeyAcceptance } from './accept-key.ts'
import { type BasicCredentials, makeBasicBodyReader, readBasicHeader } from './basic-credentials.ts'
import { readCredential } from './credential.ts'
import { hasOwnStage, providesSession } from './identity.ts'

export const makeBasicAuth: MakeStage = (compileContext) => {
  const { api, services } = compileContext
  if (!hasOwnStage(api, 'basic')) return null
  const { basicAuth } = api.document
  const provides = providesSession(api, 'basic')
  const challenge = ['www-authenticate', `Basic realm="${api.name.replaceAll(/["\\]/g, "'")}"`]
  const missing = reword(rejections.authMissing, { headers: challenge })
  const refused = reword(rejections.userNotAuthorised, { headers: challenge })
  const places = credentialPlacesOf(api.document, 'basic')
  const readBody = makeBasicBodyReader(basicAuth)
  const { isUsable, accept } = makeKeyAcceptance(compileContext, 'basic', 'basic')
  const check = makePasswordCheck(services, basicAuth)

  const settle = (
    found: CachedKey | undefined,
    { user, password }: BasicCredentials,
    context: RequestContext,
  ): Maybe<Outcome> => {
    const entry = found !== undefined && isUsable(found, context) ? found : undefined
    const address = guessAddressOf(context.request, services.settings.routing)
    return when(check({ user: `${api.orgId} ${user}`, address }, entry?.session, password), (verdict) => {
      context.trace?.note(`user ${entry?.logName ?? 'unknown'}: password ${verdict}`)
      if (verdict === 'busy') return rejections.passwordsBusy
      if (verdict === 'wrong' || entry === undefined) return refused
      return accept(entry, context)
    })
  }

  const { hashFunction, minTokenLength } = services.settings.keys
  const isTooShort = (user: string) => hashFunction === '' && utf8Bytes(user).length <= minTokenLength

  const identify = (read: BasicCredentials | Rejection, context: RequestContext): Maybe<Outcome> => {
    if ('kind' in read) return read
    if (provides) context.credential = read.user
    if (isTooShort(read.user)) return refused
    return when(services.sessionCache.find(read.user, api.orgId), (entry) => settle(entry, read, context))
  }

  return {
    name: 'basic-auth',
    phase: '2-identify',
    run(context) {
      if (context.ignored) return undefined
      const sent = readCredential(context.request, places)
      const read = sent === '' ? missing : readBasicHeader(sent)
      if (!('kind' in read) || readBody === undefined) return identify(read, context)
      const fromBody = withRequestBody<BasicCredentials | Rejection>(context, services, readBody)
      return when(fromBody, (found) => identify(found, context))
    },
  }
}
