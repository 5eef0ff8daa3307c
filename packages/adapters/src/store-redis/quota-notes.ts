/**
 * What is left of quotas, written into stored sessions: existing nodes do so at every request and tell each other,
 * and programs beside them read it there. Here nobody does, so it is written behind, once a second for each session
 * at most, and nobody is told.
 *
 * Only the two numbers are changed, in the text as it is stored: fields that this node does not know stay. A session
 * that was written meanwhile is left alone; what is left of its quota is written with the next request.
 */
import type { QuotaResult } from '@turnpike/core'
import type { RedisLink } from './redis-link.ts'
import { replaceText } from './scripts/replace-text.ts'

export interface QuotaNotes {
  /** Notes what is left of the quota that a stored session has in this scope. */
  note(storedName: string, scope: string, result: QuotaResult): void
  /** Writes what waits. Never rejects. */
  flush(): Promise<void>
  close(): Promise<void>
}

type Noted = Pick<QuotaResult, 'remaining' | 'renewsAt'>

const everyMs = 1000
/** Sessions written at once; the others follow. */
const mostAtOnce = 500
/** Sessions that may wait; more are passed over, and noted with a later request. */
const mostWaiting = 100_000

export function makeQuotaNotes(link: RedisLink, prefix: string): QuotaNotes {
  const waiting = new Map<string, Map<string, Noted>>()
  let cancel: (() => void) | undefined

  const write = async (storedName: string, notes: ReadonlyMap<string, Noted>) => {
    const key = prefix + storedName
    const before = await link.call((redis) => redis.get(key))
    const after = before === null ? undefined : withNotes(before, notes)
    if (after !== undefined && after !== before) await link.run(replaceText, [key], [before as string, after])
  }
  const flushSome = async () => {
    const some = [...waiting].slice(0, mostAtOnce)
    for (const [storedName] of some) waiting.delete(storedName)
    // What cannot be written now is written with the next request.
    await Promise.allSettled(some.map(([storedName, notes]) => write(storedName, notes)))
  }
  const plan = () => {
    cancel ??= link.timers.after(everyMs, async () => {
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
        if (waiting.size >= mostWaiting) return
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

/** The session's text with what is left in it; `undefined`: it cannot be changed without harm. */
export function withNotes(text: string, notes: ReadonlyMap<string, Noted>): string | undefined {
  // Whole numbers that JavaScript would write in another way: the session would be unreadable to others.
  if (/[[:,]\s*-?\d{16,}/.test(text)) return undefined
  const session = readObject(text)
  if (session === undefined) return undefined
  for (const [scope, noted] of notes) {
    if (scope === '') put(session, noted)
    for (const right of Object.values(asObject(session['access_rights']))) {
      const { allowance_scope: itsScope = '', limit } = asObject(right)
      if (itsScope === scope && Number(asObject(limit)['quota_max']) > 0) put(asObject(limit), noted)
    }
  }
  return JSON.stringify(session)
}

/** Zero is not written, as in all sessions. */
function put(target: Record<string, unknown>, { remaining, renewsAt }: Noted): void {
  if (remaining > 0) target['quota_remaining'] = remaining
  else delete target['quota_remaining']
  if (renewsAt !== undefined) target['quota_renews'] = Math.floor(renewsAt / 1000)
}

function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? asObject(value) : undefined
  } catch {
    return undefined
  }
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
