/**
 * Access tokens of OAuth 2.0, issued to a client of this API. The client must still exist
 * (docs/reference/oauth-endpoints.md#token-use). The stage `key-access` checks the expiry of the token, as of every key.
 */
import { type Rejection, rejections } from '../../http/rejections.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import type { CachedKey } from '../../session/cached-key.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeStage, Outcome, Stage, Unnamed } from '../contract/stage.ts'
import { withBearerErrors } from '../shared/bearer-errors.ts'
import { hasOwnStage, makeKeyAcceptance } from './accept-key.ts'
import { readCredential } from './credential.ts'

export const makeOAuthToken: MakeStage = (compileContext) => {
  const { api, services } = compileContext
  if (!hasOwnStage(api, 'oauth')) return null
  const { sessionCache, clientExists, settings } = services
  const { minTokenLength } = settings.keys
  const { places, provides, isUsable, accept } = makeKeyAcceptance(compileContext, 'oauth', 'oauth')

  const settle = (entry: CachedKey | undefined, context: RequestContext): Maybe<Outcome> => {
    if (entry === undefined) {
      context.trace?.note('no such token')
      return rejections.oauthUnknown
    }
    if (!isUsable(entry, context)) return rejections.oauthUnknown
    const { oauthClientId } = entry.session
    // Ordinary keys have no client.
    if (oauthClientId === '' || clientExists === undefined) return rejections.oauthClientGone
    return when(clientExists(api.id, oauthClientId), (exists) => {
      context.trace?.note(`token ${entry.logName} of client ${oauthClientId}`)
      if (!exists) return rejections.oauthClientGone
      if (provides) context.isClientToken = true
      return accept(entry, context)
    })
  }

  const stage: Unnamed<Stage> = {
    run(context) {
      if (context.ignored) return undefined
      const token = readToken(readCredential(context.request, places))
      if (typeof token !== 'string') return token
      if (provides) context.credential = token
      if (token.length <= minTokenLength) return rejections.oauthUnknown
      return when(sessionCache.find(token, api.orgId), (entry) => settle(entry, context))
    },
  }
  return withBearerErrors(stage, api, services.settings.bearerErrors?.oauth)
}

/** Returns the word after `Bearer`. */
function readToken(credential: string): string | Rejection {
  const space = credential.indexOf(' ')
  if (space === -1) return rejections.oauthMissing
  if (credential.slice(0, space).toLowerCase() !== 'bearer') return rejections.oauthMalformed
  const end = credential.indexOf(' ', space + 1)
  return end === -1 ? credential.slice(space + 1) : credential.slice(space + 1, end)
}
