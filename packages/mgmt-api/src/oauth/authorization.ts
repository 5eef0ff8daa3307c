/**
 * The authorization call, which redirects to the login page if the request is valid, and the approval by that page, which
 * issues a code or a token. Source: docs/reference/oauth-endpoints.md#authorize-endpoint, RFC 6749 section 4.1, RFC 7636.
 */
import type { ApiDefinition } from '@turnpike/core/definition'
import { formatRfc3339, unixSeconds } from '@turnpike/core/lib'
import type { Clock, Ids, RecordStore } from '@turnpike/core/ports'
import type { PolicyBook } from '@turnpike/core/session'
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
  readonly form: Form
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
  return {
    async check(form) {
      const request = await readRequest(form, api, services)
      return request.kind === 'rejected' ? request : undefined
    },
    async approve(form) {
      const request = await readRequest(form, api, services)
      if (request.kind === 'rejected') return request
      return request.responseType === 'code' ? issueCode(request, api, services) : issueToken(request, api, services)
    },
  }
}

function rejected(rejection: OAuthRejection, redirectUri?: string): AuthorizationRejection {
  return { kind: 'rejected', rejection, redirectUri }
}

async function readRequest(
  form: Form,
  { document }: ApiDefinition,
  { clients, oauth, rejections }: AuthorizationServices,
): Promise<AuthorizationRequest | AuthorizationRejection> {
  if (oauth.rfc6749 && form.repeated) return rejected(rejections.badRequest)
  const responseType = form.get('response_type')
  const isKnown = responseType === 'code' || responseType === 'token'
  const isAllowed = document.oauthMeta.allowedAuthorizeTypes?.includes(responseType) ?? false
  if (!isKnown || !isAllowed) return rejected(rejections.unsupportedResponse)
  const client = await clients.find(form.get('client_id'))
  if (client === undefined) return rejected(rejections.unknownClient)
  const registered = registeredUris(client.redirectUri, oauth.redirectSeparator)
  if (registered.length === 0) return rejected(rejections.unfitClient)
  const redirectUri = chooseRedirect(form.get('redirect_uri'), registered, redirectMatchOf(client, oauth))
  if (redirectUri === undefined) return rejected(rejections.badRequest, registered[0])
  const challenge = parseChallenge(form.get('code_challenge'), form.get('code_challenge_method'))
  if (challenge === undefined) return rejected(rejections.badRequest, redirectUri)
  return { kind: 'request', form, responseType, client, redirectUri, challenge }
}

async function issueCode(
  { form, client, redirectUri, challenge }: AuthorizationRequest,
  api: ApiDefinition,
  { records, clock, ids }: AuthorizationServices,
): Promise<Approval> {
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
  await records.put(oauthNames(api.id).code(code), writeRecord(codeShape, record), codeSeconds * 1000)
  return { kind: 'code', code, redirectTo: withQuery(redirectUri, [['code', code], ...unlessEmpty('state', state)]) }
}

async function issueToken(
  { form, client, redirectUri }: AuthorizationRequest,
  { orgId }: ApiDefinition,
  { tokens, clock, oauth, rejections, policies }: AuthorizationServices,
): Promise<Approval | AuthorizationRejection> {
  const userData = form.get('key_rules')
  const expires = unixSeconds(clock.now()) + oauth.tokenSeconds
  const session = makeTokenSession({ client, userData, orgId, expires }, policies())
  if (session === undefined) return rejected(rejections.noSession, redirectUri)
  const grant = { client, userData, redirectUri, scope: form.get('scope'), withRefresh: false }
  const issued = await tokens.issue(session, grant)
  const redirectTo = withFragment(redirectUri, [
    ['access_token', issued.accessToken],
    ['expires_in', String(issued.expiresIn)],
    ...unlessEmpty('scope', issued.scope),
    ...unlessEmpty('state', form.get('state')),
    ['token_type', 'bearer'],
  ])
  return { kind: 'token', issued, redirectTo }
}

/** The redirect URI with the error in its query. */
export function errorRedirect(redirectUri: string, code: OAuthErrorCode, state: string): string {
  return withQuery(redirectUri, [
    ['error', code],
    ['error_description', oauthErrorTexts[code]],
    ...unlessEmpty('state', state),
  ])
}

function unlessEmpty(name: string, value: string): [string, string][] {
  return value === '' ? [] : [[name, value]]
}
