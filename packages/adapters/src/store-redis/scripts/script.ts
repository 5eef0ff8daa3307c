/**
 * A Lua script for Redis: one verb of the store, decided in one step. A script declares all its keys, so that a
 * cluster can send it to their node; which must lie together says its head comment.
 *
 * Scripts take the time from Redis, so that all nodes on one Redis agree on it.
 */
import { createHash } from 'node:crypto'

export interface Script {
  readonly text: string
  /** Under which Redis keeps it. */
  readonly sha: string
}

export function makeScript(...parts: readonly string[]): Script {
  const text = parts.join('\n')
  return { text, sha: createHash('sha1').update(text).digest('hex') }
}
