/**
 * A Lua script for Redis: one atomic operation of the store. A script declares all its keys, so that a cluster can route
 * it; its head comment states which keys must be in the same hash slot.
 *
 * Scripts use the time of Redis, so that all nodes agree.
 */
import { createHash } from 'node:crypto'

export interface Script {
  readonly text: string
  /** SHA-1 of the text, by which Redis identifies the script. */
  readonly sha: string
}

export function makeScript(...parts: readonly string[]): Script {
  const text = parts.join('\n')
  return { text, sha: createHash('sha1').update(text).digest('hex') }
}
