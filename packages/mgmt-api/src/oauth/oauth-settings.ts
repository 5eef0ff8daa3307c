/** Configuration of OAuth 2.0. Source: docs/reference/configuration.md#keys-and-sessions, docs/differences.md. */
export interface OAuthSettings {
  /** Lifetime of an access token, above 0. */
  readonly tokenSeconds: number
  /** Lifetime of a refresh token, above 0. */
  readonly refreshSeconds: number
  /** Seconds for which expired tokens stay listed; 0: forever. */
  readonly retainSeconds: number
  /** Separator of several redirect URIs in one text; if it is empty, the text is one URI. */
  readonly redirectSeparator: string
  /** Redirect URIs are matched by prefix for all clients. False: exactly, for clients that this version created. */
  readonly redirectPrefix: boolean
  /** Status of the errors of token and approval calls. */
  readonly errorStatus: number
  /** Errors and client rules of RFC 6749 instead of the recorded ones. */
  readonly rfc6749: boolean
}

export const defaultOAuthSettings: OAuthSettings = {
  tokenSeconds: 3600,
  refreshSeconds: 1_209_600,
  retainSeconds: 0,
  redirectSeparator: '',
  redirectPrefix: false,
  errorStatus: 403,
  rfc6749: false,
}

/** Lifetime of an authorization code, as recorded. */
export const codeSeconds = 250
