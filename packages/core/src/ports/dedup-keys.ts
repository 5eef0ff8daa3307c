/** Deduplication keys that all nodes of a store share, so that an event is sent once. */
import type { Maybe } from '../lib/maybe.ts'
import type { Millis } from './clock.ts'

export interface DedupKeys {
  /**
   * Sets the key unless it exists; resolves to true for the one caller that set it.
   * `lifetimeMs` undefined: the key does not expire.
   */
  claim(name: string, lifetimeMs: Millis | undefined): Maybe<boolean>
}
