/**
 * Reads user and password from a header (RFC 7617) or from the body by patterns
 * (docs/reference/authentication.md#credentials-in-the-body).
 */
import type { ClassicDefinition } from '../../definition/classic.ts'
import { type Rejection, rejections, reword } from '../../http/rejections.ts'
import { compileRe2, type Re2 } from '../../lib/regex/re2.ts'
import { decodeBase64 } from '../../lib/text/base64.ts'
import { strictUtf8Text, utf8Text } from '../../lib/text/utf8.ts'

export interface BasicCredentials {
  readonly user: string
  readonly password: string
}

const malformed = (what: string): Rejection =>
  reword(rejections.basicMalformed, { message: `Attempted access with malformed header, ${what}` })
const notTwoWords = malformed('header not in basic auth format')
const notBase64 = malformed('auth data not encoded correctly')
const notOneColon = malformed('values not in basic auth format')

/** Reads the value of a header. The scheme is not checked, as recorded. */
export function readBasicHeader(header: string): BasicCredentials | Rejection {
  const words = header.split(' ')
  if (words.length !== 2) return notTwoWords
  const bytes = decodeBase64(words[1] as string)
  const decoded = bytes === undefined ? undefined : strictUtf8Text(bytes)
  if (decoded === undefined) return notBase64
  const colon = decoded.indexOf(':')
  if (colon === -1 || decoded.indexOf(':', colon + 1) !== -1) return notOneColon
  return { user: decoded.slice(0, colon), password: decoded.slice(colon + 1) }
}

export type ReadBasicBody = (body: Uint8Array) => BasicCredentials | Rejection

/** Makes the reader of bodies; `undefined` if the API does not use it. An invalid pattern matches nothing. */
export function makeBasicBodyReader(options: ClassicDefinition['basicAuth']): ReadBasicBody | undefined {
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
    if (found === undefined) return missing
    return found.groups.length < 2 ? noGroup : (found.groups[1] ?? '')
  }
}
