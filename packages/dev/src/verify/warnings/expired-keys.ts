/** Finds keys of the seed file that have expired, and policies whose `key_expires_in` has no effect. */
import type { Millis } from '@turnpike/core/lib'
import type { Policy } from '@turnpike/core/session'
import { number } from '../format-text.ts'
import type { Warning } from '../warning.ts'
import type { Facts } from './warning-facts.ts'

export interface ExpiryFacts extends Pick<Facts, 'plans'> {
  readonly policies: readonly Policy[]
  /** The date on which the files are verified. */
  readonly today: Millis
}

export function expiredKeys({ plans, policies, today }: ExpiryFacts): Warning[] {
  const ofKeys = plans.flatMap(({ plan }): Warning[] => {
    const { expires } = plan.session
    // A policy with key_expires_in gives a new key another expiry.
    const isReplaced = plan.policies.some(({ keyExpiresIn }) => keyExpiresIn > 0)
    if (plan.source !== 'seed' || isReplaced || expires <= 0 || expires * 1000 >= today) return []
    return [
      {
        kind: 'key-expired',
        source: plan.words,
        sentence: `${plan.words} has expired: its expires is ${dateOf(expires)}, so that the gateway rejects it`,
        fix: 'set expires to a later time in Unix seconds, or to 0 for a key that never expires',
        place: { of: 'key', id: plan.name, path: ['expires'] },
      },
    ]
  })
  const ofPolicies = policies
    .filter(({ keyExpiresIn }) => keyExpiresIn < 0)
    .map(
      ({ id, keyExpiresIn }): Warning => ({
        kind: 'key-expired',
        source: `policy "${id}"`,
        sentence: `key_expires_in of policy "${id}" is ${number(keyExpiresIn)} seconds, which has no effect: its keys never expire`,
        fix: 'set the seconds from the creation of a key to its expiry, or remove the field',
        place: { of: 'policy', id, path: ['key_expires_in'] },
      }),
    )
  return [...ofKeys, ...ofPolicies]
}

function dateOf(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString().slice(0, 10)
}
