/**
 * Basic users: keys with a password. Source: spec/sessions-and-limits.md 2.9, spec/oauth-certs-reload.md 3.2, RFC 7617.
 * A password that was right is remembered for a while by session and text, since the slow hash would otherwise be
 * paid by every request.
 */
import { LRUCache } from 'lru-cache'
import { type Rejection, rejections, reword } from '../../errors.ts'
import { headerOf } from '../../http.ts'
import { type Maybe, when } from '../../maybe.ts'
import { decodeBase64 } from '../../session/base64.ts'
import { type HashFunction, hashText } from '../../session/key-hash.ts'
import type { KeyEntry } from '../../session/keyring.ts'
import { utf8Text } from '../../session/utf8.ts'
import type { RequestContext } from '../context.ts'
import type { MakeStage, Outcome } from '../stage.ts'
import type { Tools } from '../tools.ts'
import { identifies } from './identity.ts'

const malformed = (what: string): Rejection =>
  reword(rejections.basicMalformed, { message: `Attempted access with malformed header, ${what}` })
const notTwoWords = malformed('header not in basic auth format')
const notBase64 = malformed('auth data not encoded correctly')
const notOneColon = malformed('values not in basic auth format')

const defaultCacheSeconds = 60

export const makeBasicAuth: MakeStage = ({ api, tools }) => {
  if (!api.authModes.includes('basic')) return null
  const keeps = identifies(api, 'basic')
  const challenge = ['www-authenticate', `Basic realm="${api.name.replaceAll('"', "'")}"`]
  const missing = reword(rejections.authMissing, { headers: challenge })
  const refused = reword(rejections.userNotAuthorised, { headers: challenge })
  const config = api.document.authConfigs?.['basic']
  const header = (config?.authHeaderName || 'Authorization').toLowerCase()
  const { basicAuth } = api.document
  const remembered = basicAuth.disableCaching
    ? undefined
    : new LRUCache<KeyEntry, string>({
        max: 10_000,
        ttl: (basicAuth.cacheTtl || defaultCacheSeconds) * 1000,
        perf: tools.clock,
      })

  const settle = (entry: KeyEntry | undefined, password: string, context: RequestContext): Maybe<Outcome> => {
    if (entry === undefined || entry.policyProblem !== undefined) return refused
    if (remembered?.get(entry) === password) return accept(entry, context)
    return when(passwordMatches(entry, password, tools), (right) => {
      context.trace?.note(`user ${entry.logName}: password ${right ? 'right' : 'wrong'}`)
      if (!right) return refused
      remembered?.set(entry, password)
      return accept(entry, context)
    })
  }
  const accept = (entry: KeyEntry, context: RequestContext): undefined => {
    if (keeps) context.key = entry
    return undefined
  }

  return {
    name: 'basic-auth',
    phase: '2-identify',
    run(context) {
      if (context.ignored) return undefined
      const sent = headerOf(context.request.headers, header) ?? ''
      if (sent === '') return missing
      const read = readBasic(sent)
      if ('kind' in read) return read
      if (keeps) context.credential = read.user
      return when(tools.keyring.find(read.user, api.orgId), (entry) => settle(entry, read.password, context))
    },
  }
}

function readBasic(header: string): { user: string; password: string } | Rejection {
  const words = header.split(' ')
  if (words.length !== 2) return notTwoWords
  const bytes = decodeBase64(words[1] as string)
  if (bytes === undefined) return notBase64
  const decoded = utf8Text(bytes)
  if (decoded === undefined) return notBase64
  const colon = decoded.indexOf(':')
  if (colon === -1 || decoded.indexOf(':', colon + 1) !== -1) return notOneColon
  return { user: decoded.slice(0, colon), password: decoded.slice(colon + 1) }
}

function passwordMatches(entry: KeyEntry, password: string, tools: Tools): Maybe<boolean> {
  const { password: hash, hashType } = entry.session.basicAuthData
  if (hash === '') return false
  if (hashType === '' || hashType === 'bcrypt') return tools.passwords.matches(password, hash)
  return hashText(password, hashType as HashFunction) === hash
}
