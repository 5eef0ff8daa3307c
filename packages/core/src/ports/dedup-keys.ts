/** Notes that something was done, seen by all nodes on one store: an event that was sent is not sent again. */
import type { Maybe } from '../lib/maybe.ts'
import type { Millis } from './clock.ts'

export interface DedupKeys {
  /**
   * Sets the mark unless it is there; true for the one caller who set it.
   * `lifetimeMs` undefined: it stays as long as the store keeps it.
   */
  claim(name: string, lifetimeMs: Millis | undefined): Maybe<boolean>
}
