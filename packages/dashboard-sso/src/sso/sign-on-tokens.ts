/**
 * Tokens of a single sign-on: created once, consumed at most once, valid for at most a minute (those of
 * sign-in links: ten minutes). Creating and consuming are one
 * atomic operation of the store each, so that this holds on any number of nodes. The store contains only digests of
 * tokens. Source: docs/reference/dashboard-sso.md#single-sign-on-token.
 */
import { dashedUuid } from '@turnpike/core/lib'
import type { Ids, Store } from '@turnpike/core/ports'
import { sha256Hex } from '../http/digests.ts'
import type { SignOn } from './read-sign-on.ts'

export interface SignOnTokens {
  /**
   * A new token for this login. `undefined`: it could not be stored. `lifetimeMs`: default `lifetimeSeconds` of
   * `makeSignOnTokens`.
   */
  make(signOn: SignOn, lifetimeMs?: number): Promise<string | undefined>
  /** Consumes the token and returns its login. `undefined`: unknown, expired, used, or the store is unavailable. */
  consume(token: string): Promise<SignOn | undefined>
}

const maxLifetimeSeconds = 60
/** Longer texts cannot be tokens. */
const maxTokenLength = 128

/** `lifetimeSeconds`: 1 to 60; anything else is 60. */
export function makeSignOnTokens(dependencies: {
  readonly records: Pick<Store['records'], 'add' | 'take'>
  readonly ids: Ids
  readonly lifetimeSeconds: number
}): SignOnTokens {
  const { records, ids, lifetimeSeconds: requested } = dependencies
  const defaultMs = (requested >= 1 && requested <= maxLifetimeSeconds ? requested : maxLifetimeSeconds) * 1000
  return {
    async make(signOn, lifetimeMs = defaultMs) {
      const token = tokenOf(ids.uuid())
      try {
        return (await records.add(nameOf(token), JSON.stringify(signOn), lifetimeMs)) ? token : undefined
      } catch {
        return undefined
      }
    },
    async consume(token) {
      if (token === '' || token.length > maxTokenLength) return undefined
      try {
        const text = await records.take(nameOf(token))
        return text === undefined ? undefined : (JSON.parse(text) as SignOn)
      } catch {
        return undefined
      }
    },
  }
}

const nameOf = (token: string) => `dashboard-sso.${sha256Hex(token)}`

/** Base64 of the UUID's text with its dashes: 48 characters, none of them special in a query. */
function tokenOf(uuid: string): string {
  return Buffer.from(dashedUuid(uuid)).toString('base64')
}
