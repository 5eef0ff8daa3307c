/**
 * The token endpoint: authenticates the client, checks and consumes the grant (`grant-checks.ts`), and issues tokens.
 * The order of checks is that of the original gateway. Source: docs/reference/oauth-endpoints.md#token-endpoint.
 */
import type { ApiDefinition } from '@turnpike/core/definition'
import { unixSeconds } from '@turnpike/core/lib'
import type { Clock } from '@turnpike/core/ports'
import type { PolicyBook } from '@turnpike/core/session'
import {
  authenticateClient,
  type CheckClientSecret,
  makeClientSecretCheck,
  readClientCredentials,
} from './client-authentication.ts'
import type { ClientStore } from './client-store.ts'
import type { Form } from './form.ts'
import { type GrantServices, type GrantType, grantTypes, makeGrantChecks } from './grant-checks.ts'
import type { GrantNotification } from './grant-notification.ts'
import { type OAuthRejection, rejectionForSeconds } from './oauth-errors.ts'
import { registeredUris } from './redirect-uri.ts'
import { makeTokenSession } from './token-session.ts'
import type { IssuedTokens } from './token-store.ts'

export interface TokenCall {
  readonly method: string
  /** Value of the `Authorization` header. */
  readonly authorization: string | undefined
  /** `undefined` if the body cannot be parsed. */
  readonly form: Form | undefined
  /** Address of the client, by which wrong passwords are counted. Default: empty, so that all callers count as one. */
  readonly address?: string
  /** Default: counts wrong secrets as those of one caller. */
  readonly checkSecret?: CheckClientSecret
}

export type TokenEndpoint = (call: TokenCall) => Promise<IssuedTokens | OAuthRejection>

export interface TokenEndpointServices extends GrantServices {
  readonly clients: ClientStore
  readonly clock: Pick<Clock, 'now' | 'after'>
  policies(): PolicyBook
  /** Called for every token that this endpoint issues; `undefined`: nobody is notified. */
  readonly notifyOfGrant: ((notification: GrantNotification) => void) | undefined
}

export function makeTokenEndpoint(api: ApiDefinition, services: TokenEndpointServices): TokenEndpoint {
  const { clients, clock, oauth, rejections, tokens } = services
  const grants = makeGrantChecks(api.id, services)
  const allowed = new Set(api.document.oauthMeta.allowedAccessTypes ?? [])
  const checkOwnSecret = makeClientSecretCheck(clock, '')

  return async ({ method, authorization, form, address = '', checkSecret = checkOwnSecret }) => {
    if (method !== 'POST' || form === undefined) return rejections.badRequest
    const type = form.get('grant_type')
    if (oauth.rfc6749 && (form.repeated || type === '')) return rejections.badRequest
    const grant = allowed.has(type) && isGrantType(type) ? grants[type] : undefined
    if (grant === undefined) return rejections.unsupportedGrant
    const credentials = readClientCredentials(authorization, form, oauth)
    if (credentials === undefined) return rejections.badRequest
    if (credentials.length === 0) return rejections.noClient
    if (grant.fields.some((name) => form.get(name) === '')) return rejections.emptyGrant

    const client = await authenticateClient(credentials, clients.find, checkSecret)
    if (client === undefined) return rejections.unknownClient
    if (client === 'wrong-secret') return rejections.wrongSecret
    if ('retryAfterSeconds' in client) return rejectionForSeconds(client.retryAfterSeconds)
    const needsRedirect = !(oauth.rfc6749 && type === 'client_credentials')
    if (needsRedirect && registeredUris(client.redirectUri, oauth.redirectSeparator).length === 0) {
      return rejections.unfitClient
    }

    const granted = await grant.check(form, client, address)
    if (granted.kind === 'rejection') return granted
    const { userData } = granted.grant
    const expires = unixSeconds(clock.now()) + oauth.tokenSeconds
    const session = makeTokenSession({ client, userData, orgId: api.orgId, expires }, services.policies())
    if (session === undefined) return rejections.noSession
    if (!(await granted.consume())) return rejections.badGrant
    const issued = await tokens.issue(session, granted.grant)
    await granted.settle(issued)
    services.notifyOfGrant?.({
      authCode: form.get('code'),
      accessToken: issued.accessToken,
      refreshToken: issued.refreshToken,
      oldRefreshToken: type === 'refresh_token' ? form.get('refresh_token') : '',
      type: type === 'refresh_token' ? 'refresh' : 'new',
    })
    return issued
  }
}

function isGrantType(text: string): text is GrantType {
  return (grantTypes as readonly string[]).includes(text)
}
