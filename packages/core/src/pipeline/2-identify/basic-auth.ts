/**
 * Basic authentication: keys with a password (docs/reference/authentication.md#basic-authentication, RFC 7617).
 * Credentials are read from the header and, if the API allows it, otherwise from the body by patterns
 * (docs/reference/authentication.md#credentials-in-the-body).
 */
import type { ClassicDefinition } from '../../definition/classic.ts'
import { type Rejection, rejections, reword } from '../../http/rejections.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import { compileRe2, type Re2 } from '../../lib/regex/re2.ts'
import { decodeBase64 } from '../../lib/text/base64.ts'
import { headerSafe } from '../../lib/text/field-values.ts'
import { strictUtf8Text, utf8Bytes, utf8Text } from '../../lib/text/utf8.ts'
import type { CachedKey } from '../../session/cached-key.ts'
import { makePasswordCheck } from '../../session/password-check.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeStage, Outcome } from '../contract/stage.ts'
import { guessAddressOf } from '../shared/client-address.ts'
import { withRequestBody } from '../shared/request-body.ts'
import { hasOwnStage, makeKeyAcceptance } from './accept-key.ts'
import { readCredential } from './credential.ts'

export const makeBasicAuth: MakeStage = (compileContext) => {
  const { api, services } = compileContext
  if (!hasOwnStage(api, 'basic')) return null
  const { basicAuth } = api.document
  const challenge = ['www-authenticate', headerSafe(`Basic realm="${api.name.replaceAll(/["\\]/g, "'")}"`)]
  const missing = reword(rejections.authMissing, { headers: challenge })
  const rejected = reword(rejections.userNotAuthorised, { headers: challenge })
  const readBody = makeBasicBodyReader(basicAuth)
  const { places, provides, isUsable, accept } = makeKeyAcceptance(compileContext, 'basic', 'basic')
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
      if (verdict === 'wrong' || entry === undefined) return rejected
      return accept(entry, context)
    })
  }

  const { hashFunction, minTokenLength } = services.settings.keys
  const isTooShort = (user: string) => hashFunction === '' && utf8Bytes(user).length <= minTokenLength

  const identify = (read: BasicCredentials | Rejection, context: RequestContext): Maybe<Outcome> => {
    if ('kind' in read) return read
    if (provides) context.credential = read.user
    if (isTooShort(read.user)) return rejected
    return when(services.sessionCache.find(read.user, api.orgId), (entry) => settle(entry, read, context))
  }

  return {
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

interface BasicCredentials {
  readonly user: string
  readonly password: string
}

const malformed = (what: string): Rejection =>
  reword(rejections.basicMalformed, { message: `Attempted access with malformed header, ${what}` })
const notTwoWords = malformed('header not in basic auth format')
const notBase64 = malformed('auth data not encoded correctly')
const noColon = malformed('values not in basic auth format')

/** Reads the value of a header. The scheme is not checked, as recorded. */
function readBasicHeader(header: string): BasicCredentials | Rejection {
  const words = header.split(' ')
  if (words.length !== 2) return notTwoWords
  const bytes = decodeBase64(words[1] as string)
  const decoded = bytes === undefined ? undefined : strictUtf8Text(bytes)
  if (decoded === undefined) return notBase64
  const colon = decoded.indexOf(':')
  // A password may contain colons (RFC 7617 section 2).
  if (colon === -1) return noColon
  return { user: decoded.slice(0, colon), password: decoded.slice(colon + 1) }
}

type ReadBasicBody = (body: Uint8Array) => BasicCredentials | Rejection

/** Makes the reader of bodies; `undefined` if the API does not use it. An invalid pattern matches nothing. */
function makeBasicBodyReader(options: ClassicDefinition['basicAuth']): ReadBasicBody | undefined {
  if (!options.extractFromBody) return undefined
  const user = finder(options.bodyUserRegexp, 'username')
  const password = finder(options.bodyPasswordRegexp, 'password')
  return (body) => {
    const text = utf8Text(body)
    const foundUser = user(text)
    if (typeof foundUser !== 'string') return foundUser
    const foundPassword = password(text)
    if (typeof foundPassword !== 'string') return foundPassword
    return { user: foundUser, password: foundPassword }
  }
}

/** Returns the first group of the first match. */
function finder(pattern: string, what: string): (text: string) => string | Rejection {
  const missing = reword(rejections.basicBody, { message: `Body do not contain ${what}` })
  const noGroup = reword(rejections.basicBody, { message: `${what} should be inside regexp match group` })
  const compiled = pattern === '' ? undefined : compileRe2(pattern)
  const re2: Re2 | undefined = compiled?.problem === undefined ? (compiled as Re2 | undefined) : undefined
  return (text) => {
    const found = re2?.exec(text)
    // Without a place, the body is too long for the pattern.
    if (found === undefined || found.groups.length === 0) return missing
    return found.groups.length < 2 ? noGroup : (found.groups[1] ?? '')
  }
}
