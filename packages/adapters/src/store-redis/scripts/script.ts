/**
 * A Lua script for Redis, which Redis runs atomically. A script declares all its keys, because a cluster routes it by them.
 * If a script has more than one key, its head comment says whether they must be in the same hash slot.
 *
 * Scripts use the time of Redis, so that all nodes agree.
 */
import { hash } from 'node:crypto'

export interface Script {
  readonly text: string
  /** SHA-1 of the text, by which Redis identifies the script. */
  readonly sha: string
}

export function makeScript(...parts: readonly string[]): Script {
  const text = parts.join('\n')
  return { text, sha: hash('sha1', text) }
}
