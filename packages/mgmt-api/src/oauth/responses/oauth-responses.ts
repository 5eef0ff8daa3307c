/** Responses of OAuth endpoints: errors in their own form, status messages in that of the management API. */
import type { ApiDefinition } from '@turnpike/core/definition'
import { type GatewayRequest, type GatewayResponse, type HeaderPairs, headerOf } from '@turnpike/core/http'
import { statusBody } from '../../http/reply.ts'
import type { CheckClientSecret } from '../client-authentication.ts'
import { type Form, formTextOf, parseFormAndQuery } from '../form.ts'
import type { ApiOAuth } from '../oauth.ts'
import { type OAuthRejection, oauthErrorTexts } from '../oauth-errors.ts'
import type { OAuthSettings } from '../oauth-settings.ts'

/** The error response of token and approval calls. */
export function rejectionResponse(
  { code, status }: OAuthRejection,
  more: Readonly<Record<string, string>> = {},
  headers: HeaderPairs = [],
): GatewayResponse {
  const body = { error: code, error_description: oauthErrorTexts[code], ...more }
  return jsonResponse(status, `${JSON.stringify(body)}\n`, headers)
}

/** An error of a call that authenticates a client. A failed authentication has a challenge (RFC 6749, section 5.2). */
export function clientRejection(
  rejection: OAuthRejection,
  apiName: string,
  headers: HeaderPairs = [],
): GatewayResponse {
  const isUnauthenticated = rejection.status === 401 && rejection.code === 'invalid_client'
  const challenge = `Basic realm="${apiName.replaceAll(/[^\x20-\x7e]|["\\]/g, "'")}"`
  const own = [
    ...(isUnauthenticated ? ['www-authenticate', challenge] : []),
    ...(rejection.retryAfterSeconds === undefined ? [] : ['retry-after', String(rejection.retryAfterSeconds)]),
  ]
  return rejectionResponse(rejection, {}, [...headers, ...own])
}

/** A status message. */
export function statusResponse(status: number, message: string, headers: HeaderPairs = []): GatewayResponse {
  return jsonResponse(status, statusBody(status < 400 ? 'ok' : 'error', message), headers)
}

/** The response to a form with an invalid escape. */
export function malformedForm(): GatewayResponse {
  return statusResponse(400, 'cannot parse form. Form malformed')
}

export function jsonResponse(status: number, body: string, headers: HeaderPairs = []): GatewayResponse {
  return { status, headers: ['content-type', 'application/json', ...headers], body }
}

export function methodNotSupported(methods: readonly string[]): GatewayResponse {
  return statusResponse(405, 'Method not supported', ['allow', methods.join(', ')])
}

export interface OAuthCall {
  readonly request: GatewayRequest
  readonly body: Uint8Array
  readonly api: ApiDefinition
  /** OAuth of the API. */
  readonly apiOAuth: ApiOAuth
  /** Of the client; its wrong secrets and passwords are counted. */
  readonly address: string
  readonly checkSecret: CheckClientSecret
  readonly settings: OAuthSettings
}

/** Parameters of form and query; `undefined` if an escape is invalid. */
export function formOf({ request, body }: OAuthCall): Form | undefined {
  return parseFormAndQuery(formTextOf(body, headerOf(request.headers, 'content-type')), request.query)
}
