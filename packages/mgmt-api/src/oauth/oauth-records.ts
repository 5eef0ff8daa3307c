/**
 * Stored form of clients, codes and tokens. Nodes of a shared installation read each other's records; names of fields
 * are matched without case. Source: docs/reference/redis-records.md#oauth-keys.
 */
import { anything, boolean, field, integer, type Of, object, readShape, type Shape, text } from '@turnpike/core/lib'

export const clientShape = object({
  id: text,
  secret: text,
  redirectUri: field(text, { wireName: 'redirecturi' }),
  metaData: field(anything, { wireName: 'meta_data', omitZero: true }),
  policyId: field(text, { wireName: 'policyid' }),
  description: text,
  // Other gateways that share the store ignore this member and drop it when they change the client.
  exactRedirect: field(boolean, { wireName: 'exact_redirect_uri', omitZero: true }),
})

/** A client of one API. */
export type OAuthClient = Of<typeof clientShape>

export const codeShape = object({
  client: field(clientShape, { wireName: 'Client' }),
  code: field(text, { wireName: 'Code' }),
  expiresIn: field(integer, { wireName: 'ExpiresIn' }),
  scope: field(text, { wireName: 'Scope' }),
  redirectUri: field(text, { wireName: 'RedirectUri' }),
  state: field(text, { wireName: 'State' }),
  createdAt: field(text, { wireName: 'CreatedAt' }),
  /** The approval's `key_rules`: JSON of a session; if it is empty, the client's policy decides. */
  userData: field(text, { wireName: 'UserData', omitZero: true }),
  codeChallenge: field(text, { wireName: 'CodeChallenge', omitZero: true }),
  codeChallengeMethod: field(text, { wireName: 'CodeChallengeMethod', omitZero: true }),
})

export const accessShape = object({
  client: field(clientShape, { wireName: 'Client' }),
  accessToken: field(text, { wireName: 'AccessToken' }),
  refreshToken: field(text, { wireName: 'RefreshToken' }),
  expiresIn: field(integer, { wireName: 'ExpiresIn' }),
  scope: field(text, { wireName: 'Scope' }),
  redirectUri: field(text, { wireName: 'RedirectUri' }),
  createdAt: field(text, { wireName: 'CreatedAt' }),
  userData: field(text, { wireName: 'UserData', omitZero: true }),
})

/** The tokens of one grant; stored under the access token and under the refresh token. */
export type AccessRecord = Of<typeof accessShape>

/** Serialises a record. */
export function writeRecord<T>(shape: Shape<T>, value: T): string {
  return JSON.stringify(shape.write(value))
}

/** Parses a record; an invalid one is `undefined`, which counts as missing. */
export function readRecord<T>(shape: Shape<T>, written: string | undefined): T | undefined {
  if (written === undefined) return undefined
  try {
    const read = readShape(shape, JSON.parse(written) as unknown)
    return read.readable ? read.value : undefined
  } catch {
    return undefined
  }
}
