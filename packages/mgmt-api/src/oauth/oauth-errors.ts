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
export interface OAuthRejection {
  readonly kind: 'rejection'
  readonly code: OAuthErrorCode
  readonly status: number
  /** Seconds after which the call can succeed. */
  readonly retryAfterSeconds?: number
}

/** The secret of the client was not checked. The RFC knows no such error; the code is that of its section 4.1.2.1. */
export function rejectionForSeconds(retryAfterSeconds: number): OAuthRejection {
  return { kind: 'rejection', code: 'temporarily_unavailable', status: 429, retryAfterSeconds }
}

/** Rejections by cause, each as recorded or as the RFC requires. */
export interface OAuthRejections {
  readonly badRequest: OAuthRejection
  readonly unsupportedGrant: OAuthRejection
  readonly unsupportedResponse: OAuthRejection
  /** Client authentication is missing or malformed. */
  readonly noClient: OAuthRejection
  readonly unknownClient: OAuthRejection
  readonly wrongSecret: OAuthRejection
  /** The client has no redirect URI. */
  readonly unfitClient: OAuthRejection
  /** A field of the grant is missing. */
  readonly emptyGrant: OAuthRejection
  /** Unknown, used, expired, or of another client. */
  readonly badGrant: OAuthRejection
  /** A refresh token of another client. */
  readonly othersToken: OAuthRejection
  /** The redirect URI differs from that of the approval. */
  readonly otherRedirect: OAuthRejection
  readonly wrongPassword: OAuthRejection
  readonly widerScope: OAuthRejection
  /** The client's policy results in no session. */
  readonly noSession: OAuthRejection
}

export function makeRejections({ rfc6749, errorStatus }: OAuthSettings): OAuthRejections {
  const rejection = (recorded: OAuthErrorCode, byRfc: OAuthErrorCode = recorded, status = 400): OAuthRejection =>
    rfc6749 ? { kind: 'rejection', code: byRfc, status } : { kind: 'rejection', code: recorded, status: errorStatus }
  return {
    badRequest: rejection('invalid_request'),
    unsupportedGrant: rejection('unsupported_grant_type'),
    unsupportedResponse: rejection('unsupported_response_type'),
    noClient: rejection('invalid_request', 'invalid_client', 401),
    unknownClient: rejection('server_error', 'invalid_client', 401),
    wrongSecret: rejection('unauthorized_client', 'invalid_client', 401),
    unfitClient: rejection('unauthorized_client'),
    emptyGrant: rejection('invalid_grant', 'invalid_request'),
    badGrant: rejection('invalid_grant'),
    othersToken: rejection('invalid_client', 'invalid_grant'),
    otherRedirect: rejection('invalid_request', 'invalid_grant'),
    wrongPassword: rejection('access_denied', 'invalid_grant'),
    widerScope: rejection('access_denied', 'invalid_scope'),
    noSession: rejection('server_error', 'unauthorized_client'),
  }
}
