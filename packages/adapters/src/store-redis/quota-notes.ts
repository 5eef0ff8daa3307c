/**
 * Writes remaining quotas to stored sessions, for other programs that read them there. The original gateway does so at
 * every request and notifies its nodes. Turnpike does not read the numbers, so it writes them at most once a second per
 * session, without a signal.
 *
 * Only the two numbers change in the stored text, so unknown fields stay. A session that was changed concurrently is not
 * overwritten; its numbers are written after its next request.
 */
import { objectOf, parseJsonObject } from '@turnpike/core/lib'
import type { QuotaResult } from '@turnpike/core/ports'
import type { RedisConnection } from './redis-connection.ts'
import { replaceText } from './scripts/text-scripts.ts'

export interface QuotaNotes {
  /** Schedules a write of the remaining quota of a stored session in this scope. */
  note(storedName: string, scope: string, result: QuotaResult): void
  /** Writes all waiting numbers. Never rejects. */
  flush(): Promise<void>
  close(): Promise<void>
}

type Noted = Pick<QuotaResult, 'remaining' | 'renewsAt'>

const everyMs = 1000
/** Maximum number of sessions that are written concurrently. */
const maxConcurrent = 500
/** Maximum number of waiting sessions. Further ones are ignored until a later request. */
const maxWaiting = 100_000

/** `keyOf` returns the Redis key of a stored session. */
export function makeQuotaNotes(connection: RedisConnection, keyOf: (storedName: string) => string): QuotaNotes {
  const waiting = new Map<string, Map<string, Noted>>()
  let cancel: (() => void) | undefined

  const write = async (storedName: string, notes: ReadonlyMap<string, Noted>) => {
    const key = keyOf(storedName)
    const before = await connection.call((redis) => redis.get(key), key)
    const after = before === null ? undefined : withNotes(before, notes)
    if (after !== undefined && after !== before) await connection.run(replaceText, [key], [before as string, after])
  }
  const flushSome = async () => {
    const some = [...waiting].slice(0, maxConcurrent)
    for (const [storedName] of some) waiting.delete(storedName)
    // A failed write is repeated after the next request.
    await Promise.allSettled(some.map(([storedName, notes]) => write(storedName, notes)))
  }
  const plan = () => {
    cancel ??= connection.timers.after(everyMs, async () => {
      await flushSome()
      cancel = undefined
      if (waiting.size > 0) plan()
    })
  }
  const flush = async () => {
    while (waiting.size > 0) await flushSome()
  }

  return {
    note(storedName, scope, { remaining, renewsAt }) {
      let notes = waiting.get(storedName)
      if (notes === undefined) {
        if (waiting.size >= maxWaiting) return
        notes = new Map()
        waiting.set(storedName, notes)
      }
      notes.set(scope, { remaining, renewsAt })
      plan()
    },
    flush,
    async close() {
      cancel?.()
      await flush()
    },
  }
}

/** Inserts the numbers into the text of a session; `undefined` if that would damage the session. */
export function withNotes(text: string, notes: ReadonlyMap<string, Noted>): string | undefined {
  // JavaScript would change large integers, and other readers could not parse the session.
  if (/[[:,]\s*-?\d{16,}/.test(text)) return undefined
  const session = parseJsonObject(text)
  if (session === undefined) return undefined
  for (const [scope, noted] of notes) {
    if (scope === '') put(session, noted)
    for (const right of Object.values(objectOf(session['access_rights']))) {
      const { allowance_scope: itsScope = '', limit } = objectOf(right)
      if (itsScope === scope && Number(objectOf(limit)['quota_max']) > 0) put(objectOf(limit), noted)
    }
  }
  return JSON.stringify(session)
}

/** Zero is omitted, as in all sessions. */
function put(target: Record<string, unknown>, { remaining, renewsAt }: Noted): void {
  if (remaining > 0) target['quota_remaining'] = remaining
  else delete target['quota_remaining']
  if (renewsAt !== undefined) target['quota_renews'] = Math.floor(renewsAt / 1000)
}
