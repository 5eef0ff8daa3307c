/**
 * Errors of OAuth calls: recorded codes and texts, and what `oauth_rfc6749_errors` makes of them. Source:
 * docs/reference/oauth-endpoints.md#oauth-paths, docs/differences.md, RFC 6749 section 5.2.
 */
import type { OAuthSettings } from './oauth-settings.ts'

export const oauthErrorTexts = {
  invalid_request:
    'The request is missing a required parameter, includes an invalid parameter value, includes a parameter more than once, or is otherwise malformed.',
  unauthorized_client: 'The client is not authorized to request a token using this method.',
  access_denied: 'The resource owner or authorization server denied the request.',
  unsupported_response_type: 'The authorization server does not support obtaining a token using this method.',
  server_error:
    'The authorization server encountered an unexpected condition that prevented it from fulfilling the request.',
  unsupported_grant_type: 'The authorization grant type is not supported by the authorization server.',
  invalid_grant:
    'The provided authorization grant (e.g., authorization code, resource owner credentials) or refresh token is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
  invalid_client:
    'Client authentication failed (e.g., unknown client, no client authentication included, or unsupported authentication method).',
  temporarily_unavailable: 'Too many wrong secrets of this client came from this address.',
  invalid_scope: 'The requested scope is invalid, unknown, malformed, or exceeds the scope granted.',
} as const

export type OAuthErrorCode = keyof typeof oauthErrorTexts

/** A rejected call. */
export interface OAuthRefusal {
  readonly kind: 'refusal'
  readonly code: OAuthErrorCode
  readonly status: number
  /** Seconds after which the call can succeed. */
  readonly retryAfterSeconds?: number
}

/** The secret of the client was not checked. The RFC knows no such error; the code is that of its section 4.1.2.1. */
export function refusalUntil(retryAfterSeconds: number): OAuthRefusal {
  return { kind: 'refusal', code: 'temporarily_unavailable', status: 429, retryAfterSeconds }
}

/** Rejections by cause, each as recorded or as the RFC requires. */
export interface OAuthRefusals {
  readonly badRequest: OAuthRefusal
  readonly unsupportedGrant: OAuthRefusal
  readonly unsupportedResponse: OAuthRefusal
  /** Client authentication is missing or malformed. */
  readonly noClient: OAuthRefusal
  readonly unknownClient: OAuthRefusal
  readonly wrongSecret: OAuthRefusal
  /** The client has no redirect URI. */
  readonly unfitClient: OAuthRefusal
  /** A field of the grant is missing. */
  readonly emptyGrant: OAuthRefusal
  /** Unknown, used, expired, or of another client. */
  readonly badGrant: OAuthRefusal
  /** A refresh token of another client. */
  readonly othersToken: OAuthRefusal
  /** The redirect URI differs from that of the approval. */
  readonly otherRedirect: OAuthRefusal
  readonly wrongPassword: OAuthRefusal
  readonly widerScope: OAuthRefusal
  /** The client's policy results in no session. */
  readonly noSession: OAuthRefusal
}

export function makeRefusals({ rfc6749, errorStatus }: OAuthSettings): OAuthRefusals {
  const refusal = (recorded: OAuthErrorCode, byRfc: OAuthErrorCode = recorded, status = 400): OAuthRefusal =>
    rfc6749 ? { kind: 'refusal', code: byRfc, status } : { kind: 'refusal', code: recorded, status: errorStatus }
  return {
    badRequest: refusal('invalid_request'),
    unsupportedGrant: refusal('unsupported_grant_type'),
    unsupportedResponse: refusal('unsupported_response_type'),
    noClient: refusal('invalid_request', 'invalid_client', 401),
    unknownClient: refusal('server_error', 'invalid_client', 401),
    wrongSecret: refusal('unauthorized_client', 'invalid_client', 401),
    unfitClient: refusal('unauthorized_client'),
    emptyGrant: refusal('invalid_grant', 'invalid_request'),
    badGrant: refusal('invalid_grant'),
    othersToken: refusal('invalid_client', 'invalid_grant'),
    otherRedirect: refusal('invalid_request', 'invalid_grant'),
    wrongPassword: refusal('access_denied', 'invalid_grant'),
    widerScope: refusal('access_denied', 'invalid_scope'),
    noSession: refusal('server_error', 'unauthorized_client'),
  }
}
