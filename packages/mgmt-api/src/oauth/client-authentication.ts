/**
 * Client authentication (RFC 6749, section 2.3.1): the Basic header and, with `oauth_rfc6749_errors`, the form. Credentials
 * of the header are taken as they are and percent-decoded: clients do both. Source:
 * docs/reference/oauth-endpoints.md#token-endpoint, docs/differences.md.
 */

import { decodeBase64, decodeFieldStrictly, isSecret, type Maybe, strictUtf8Text } from '@turnpike/core/lib'
import type { Clock } from '@turnpike/core/ports'
import { type GuessVerdict, secretBackOffOf } from '@turnpike/core/session'
import type { Form } from './form.ts'
import type { OAuthClient } from './oauth-records.ts'
import type { OAuthSettings } from './oauth-settings.ts'

export interface ClientCredentials {
  readonly id: string
  readonly secret: string
}

/**
 * The possible readings of the credentials. Empty if they are missing or invalid. `undefined` if the request uses both
 * the header and the form, which RFC 6749, section 2.3, forbids. The form counts only with `rfc6749`.
 */
export function readClientCredentials(
  header: string | undefined,
  form: Form,
  { rfc6749 }: Pick<OAuthSettings, 'rfc6749'>,
): readonly ClientCredentials[] | undefined {
  const secret = rfc6749 ? form.get('client_secret') : ''
  if (secret === '') return readBasicHeader(header)
  return header === undefined ? [{ id: form.get('client_id'), secret }] : undefined
}

/** The possible readings of the header, the raw form first; empty if it is invalid. */
function readBasicHeader(header: string | undefined): readonly ClientCredentials[] {
  const [, encoded = ''] = /^basic +([A-Za-z0-9+/=]+)$/i.exec(header ?? '') ?? []
  const bytes = encoded === '' ? undefined : decodeBase64(encoded)
  const text = bytes === undefined ? undefined : strictUtf8Text(bytes)
  const colon = text?.indexOf(':') ?? -1
  if (text === undefined || colon === -1) return []
  const raw: ClientCredentials = { id: text.slice(0, colon), secret: text.slice(colon + 1) }
  const id = decodeFieldStrictly(raw.id)
  const secret = decodeFieldStrictly(raw.secret)
  if (id === undefined || secret === undefined || (id === raw.id && secret === raw.secret)) return [raw]
  return [raw, { id, secret }]
}

/** Checks the readings of the secret that a client sent. Source: docs/security.md#guessing-of-secrets. */
export type CheckClientSecret = (client: OAuthClient, readings: readonly string[]) => Promise<GuessVerdict>

/** `address`: of the client, whose wrong secrets are counted for each OAuth client. All readings are one guess. */
export function makeClientSecretCheck(clock: Pick<Clock, 'now' | 'after'>, address: string): CheckClientSecret {
  const guesses = secretBackOffOf(clock)
  return ({ id, secret }, readings) =>
    guesses.check({
      subject: `client ${id}`,
      address,
      given: readings.join('\n'),
      isRight: () => readings.some((given) => isSecret(given, secret)),
    })
}

/**
 * Returns the authenticated client, `wrong-secret` if the client exists but the secret differs, `undefined` if the
 * client does not exist, or the time after which the secret can be checked.
 */
export async function authenticateClient(
  credentials: readonly ClientCredentials[],
  find: (clientId: string) => Maybe<OAuthClient | undefined>,
  check: CheckClientSecret,
): Promise<OAuthClient | 'wrong-secret' | { readonly retryAfterSeconds: number } | undefined> {
  let outcome: 'wrong-secret' | undefined
  for (const id of new Set(credentials.map((reading) => reading.id))) {
    const client = await find(id)
    if (client === undefined) continue
    const readings = credentials.filter((reading) => reading.id === id).map(({ secret }) => secret)
    const verdict = await check(client, readings)
    if (verdict === 'right') return client
    if (verdict !== 'wrong') return verdict
    outcome = 'wrong-secret'
  }
  return outcome
}
