/** A map of texts by name, in memory. */
import type { Clock, Millis } from '../ports/clock.ts'
import type { RankedLists, RecordStore } from '../ports/store.ts'
import { type Sweepable, sweepMap } from './sweep.ts'

interface Held {
  readonly text: string
  readonly expiresAt: Millis | undefined
}

/** Records that return values instead of promises. */
export interface MemoryRecords extends Omit<RecordStore, keyof RankedLists> {
  get(name: string): string | undefined
  put(name: string, text: string, lifetimeMs?: Millis): void
  add(name: string, text: string, lifetimeMs?: Millis): boolean
  take(name: string): string | undefined
  remove(name: string): boolean
  names(prefix: string): string[]
  readonly sweepable: Sweepable
}

export function makeMemoryRecords(clock: Clock): MemoryRecords {
  const held = new Map<string, Held>()

  const get = (name: string): string | undefined => {
    const found = held.get(name)
    if (found === undefined) return undefined
    if (!isExpired(found, clock.now())) return found.text
    held.delete(name)
    return undefined
  }
  const put = (name: string, text: string, lifetimeMs?: Millis): void => {
    held.set(name, { text, expiresAt: lifetimeMs === undefined ? undefined : clock.now() + lifetimeMs })
  }

  return {
    get,
    put,
    add(name, text, lifetimeMs) {
      if (get(name) !== undefined) return false
      put(name, text, lifetimeMs)
      return true
    },
    take(name) {
      const text = get(name)
      held.delete(name)
      return text
    },
    remove(name) {
      const found = get(name) !== undefined
      held.delete(name)
      return found
    },
    names(prefix) {
      const now = clock.now()
      const names: string[] = []
      for (const [name, record] of held) if (name.startsWith(prefix) && !isExpired(record, now)) names.push(name)
      return names
    },
    sweepable: sweepMap(held, isExpired),
  } satisfies MemoryRecords
}

function isExpired({ expiresAt }: Held, now: Millis): boolean {
  return expiresAt !== undefined && now >= expiresAt
}
