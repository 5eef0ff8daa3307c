/**
 * The authorization call, which redirects to the login page if the request is valid, and the approval by that page, which
 * issues a code or a token. Source: docs/reference/oauth-endpoints.md#authorize-endpoint, RFC 6749 section 4.1, RFC 7636.
 */
import {
  type ApiDefinition,
  type Clock,
  formatRfc3339,
  type Ids,
  type PolicyBook,
  type RecordStore,
  unixSeconds,
} from '@turnpike/core'
import type { ClientStore } from './client-store.ts'
import type { Form } from './form.ts'
import { type OAuthErrorCode, type OAuthRejection, type OAuthRejections, oauthErrorTexts } from './oauth-errors.ts'
import { oauthNames } from './oauth-names.ts'
import { codeShape, type OAuthClient, writeRecord } from './oauth-records.ts'
import { codeSeconds, type OAuthSettings } from './oauth-settings.ts'
import { type Challenge, parseChallenge } from './pkce.ts'
import { codeText } from './random-texts.ts'
import { chooseRedirect, redirectMatchOf, registeredUris, withFragment, withQuery } from './redirect-uri.ts'
import { makeTokenSession } from './token-session.ts'
import type { IssuedTokens, TokenStore } from './token-store.ts'

/** A valid request for authorization. */
interface AuthorizationRequest {
  readonly kind: 'request'
  readonly responseType: 'code' | 'token'
  readonly client: OAuthClient
  readonly redirectUri: string
  readonly challenge: Challenge
}

/** An error, and the redirect that reports it to the client. */
export interface AuthorizationRejection {
  readonly kind: 'rejected'
  readonly rejection: OAuthRejection
  /** Redirect URI without the error; `undefined` if it is unknown. */
  readonly redirectUri: string | undefined
}

export type Approval =
  | { readonly kind: 'code'; readonly code: string; readonly redirectTo: string }
  | { readonly kind: 'token'; readonly issued: IssuedTokens; readonly redirectTo: string }

export interface Authorization {
  /** Checks whether the login page may be shown. Stores nothing. */
  check(form: Form): Promise<AuthorizationRejection | undefined>
  approve(form: Form): Promise<Approval | AuthorizationRejection>
}

export interface AuthorizationServices {
  readonly clients: ClientStore
  readonly tokens: TokenStore
  readonly records: RecordStore
  readonly clock: Pick<Clock, 'now'>
  readonly ids: Ids
  readonly oauth: OAuthSettings
  readonly rejections: OAuthRejections
  policies(): PolicyBook
}

export function makeAuthorization(api: ApiDefinition, services: AuthorizationServices): Authorization {
  const { clients, tokens, records, clock, ids, oauth, rejections } = services
  const names = oauthNames(api.id)
  const allowed = api.document.oauthMeta.allowedAuthorizeTypes ?? []

  const rejected = (rejection: OAuthRejection, redirectUri?: string): AuthorizationRejection => ({
    kind: 'rejected',
    rejection,
    redirectUri,
  })

  const read = async (form: Form): Promise<AuthorizationRequest | AuthorizationRejection> => {
    if (oauth.rfc6749 && form.repeated) return rejected(rejections.badRequest)
    const responseType = form.get('response_type')
    const isKnown = responseType === 'code' || responseType === 'token'
    if (!isKnown || !allowed.includes(responseType)) return rejected(rejections.unsupportedResponse)
    const client = await clients.find(form.get('client_id'))
    if (client === undefined) return rejected(rejections.unknownClient)
    const registered = registeredUris(client.redirectUri, oauth.redirectSeparator)
    if (registered.length === 0) return rejected(rejections.unfitClient)
    const redirectUri = chooseRedirect(form.get('redirect_uri'), registered, redirectMatchOf(client, oauth))
    if (redirectUri === undefined) return rejected(rejections.badRequest, registered[0])
    const challenge = parseChallenge(form.get('code_challenge'), form.get('code_challenge_method'))
    if (challenge === undefined) return rejected(rejections.badRequest, redirectUri)
    return { kind: 'request', responseType, client, redirectUri, challenge }
  }

  const giveCode = async ({ client, redirectUri, challenge }: AuthorizationRequest, form: Form): Promise<Approval> => {
    const code = codeText(ids)
    const state = form.get('state')
    const record = {
      client,
      code,
      expiresIn: codeSeconds,
      scope: form.get('scope'),
      redirectUri,
      state,
      createdAt: formatRfc3339(clock.now()),
      userData: form.get('key_rules'),
      codeChallenge: challenge.challenge,
      codeChallengeMethod: challenge.challenge === '' ? '' : challenge.method,
    }
    await records.put(names.code(code), writeRecord(codeShape, record), codeSeconds * 1000)
    return { kind: 'code', code, redirectTo: withQuery(redirectUri, [['code', code], ...stateOf(form)]) }
  }

  const giveToken = async (
    { client, redirectUri }: AuthorizationRequest,
    form: Form,
  ): Promise<Approval | AuthorizationRejection> => {
    const userData = form.get('key_rules')
    const session = makeTokenSession(
      { client, userData, orgId: api.orgId, expires: unixSeconds(clock.now()) + oauth.tokenSeconds },
      services.policies(),
    )
    if (session === undefined) return rejected(rejections.noSession, redirectUri)
    const grant = { client, userData, redirectUri, scope: form.get('scope'), withRefresh: false }
    const issued = await tokens.issue(session, grant)
    const scope: [string, string][] = issued.scope === '' ? [] : [['scope', issued.scope]]
    const redirectTo = withFragment(redirectUri, [
      ['access_token', issued.accessToken],
      ['expires_in', String(issued.expiresIn)],
      ...scope,
      ...stateOf(form),
      ['token_type', 'bearer'],
    ])
    return { kind: 'token', issued, redirectTo }
  }

  return {
    async check(form) {
      const request = await read(form)
      return request.kind === 'rejected' ? request : undefined
    },
    async approve(form) {
      const request = await read(form)
      if (request.kind === 'rejected') return request
      return request.responseType === 'code' ? giveCode(request, form) : giveToken(request, form)
    },
  }
}

/** The redirect URI with the error in its query. */
export function errorRedirect(redirectUri: string, code: OAuthErrorCode, state: string): string {
  const told: [string, string][] = [
    ['error', code],
    ['error_description', oauthErrorTexts[code]],
  ]
  return withQuery(redirectUri, state === '' ? told : [...told, ['state', state]])
}

function stateOf(form: Form): [string, string][] {
  const state = form.get('state')
  return state === '' ? [] : [['state', state]]
}
