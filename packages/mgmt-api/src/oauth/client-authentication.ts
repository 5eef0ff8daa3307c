/**
 * How a client proves itself at the token endpoint: the Basic header, nothing else. Credentials are taken as they are
 * and percent-decoded (RFC 6749, 2.3.1): clients do both. Source: docs/reference/oauth-endpoints.md#token-endpoint, docs/differences.md.
 */

import { decodeBase64, decodeFieldStrictly, isSecret, type Maybe, strictUtf8Text } from '@turnpike/core'
import type { OAuthClient } from './oauth-records.ts'

export interface ClientCredentials {
  readonly id: string
  readonly secret: string
}

/** All that the header may mean, the raw form first; none when it cannot be read. */
export function readClientCredentials(header: string | undefined): readonly ClientCredentials[] {
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

/**
 * The client that the credentials prove; `wrong-secret`: there is one of that name, but it has another secret;
 * `undefined`: there is none.
 */
export async function authenticateClient(
  credentials: readonly ClientCredentials[],
  find: (clientId: string) => Maybe<OAuthClient | undefined>,
): Promise<OAuthClient | 'wrong-secret' | undefined> {
  let outcome: 'wrong-secret' | undefined
  for (const { id, secret } of credentials) {
    const client = await find(id)
    if (client === undefined) continue
    if (isSecret(secret, client.secret)) return client
    outcome = 'wrong-secret'
  }
  return outcome
}
