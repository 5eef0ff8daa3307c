/**
 * Decisions about counters, asked together: what the requests of one turn of the event loop need is one call of one
 * script. What a call costs, here, in Redis and between the two, is then shared by all of them; with one request in a
 * turn it costs what a call costs, and waits for nobody. Measured: docs/decisions/0013-a-decision-over-redis.md.
 *
 * In a cluster each is a call of its own, since counters live on different nodes.
 */
import type { Maybe } from '@turnpike/core'
import type { RedisLink } from './redis-link.ts'
import { noNumber } from './script-reply.ts'
import { decide } from './scripts/decide.ts'

/** What is asked: the kinds of `scripts/decide.ts`. */
export interface Question {
  readonly kind: 'quota' | 'alone' | 'rate' | 'both'
  readonly keys: readonly string[]
  readonly args: readonly (string | number)[]
}

/** What came of it; what was not asked for is 0. */
export interface Decided {
  /** Of the rate: 1 or 0; -1: another fixed window is on, ask again. */
  readonly allowed: number
  readonly before: number
  /** With -1: the time of Redis, in ms. */
  readonly opensInMs: number
  /** Of the quota; -1: another node holds its lock, ask again. */
  readonly count: number
  /** -1: no end. */
  readonly leftMs: number
}

export interface Decisions {
  /** Rejects with `StoreUnavailableError` as calls of the link do, and with another error where a counter is no number. */
  ask<T>(question: Question, read: (decided: Decided) => Maybe<T>): Promise<T>
}

interface Entry {
  readonly question: Question
  readonly read: (decided: Decided) => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (cause: unknown) => void
}

/** Decisions of one call; Redis does nothing else meanwhile, and needs some 5 µs for each. */
const mostTogether = 100
const linesEach = 5

export function makeDecisions(link: RedisLink): Decisions {
  const { atTurnEnd } = link.timers
  const together = link.isCluster || atTurnEnd === undefined ? 1 : mostTogether
  let waiting: Entry[] = []

  const send = async (entries: readonly Entry[]) => {
    const keys: string[] = []
    const args: (string | number)[] = []
    for (const { question } of entries) {
      keys.push(...question.keys)
      args.push(question.kind, ...question.args)
    }
    try {
      const lines = String(await link.run(decide, keys, args, entries.length)).split('\n')
      for (let i = 0; i < entries.length; i++) settle(entries[i] as Entry, lines, i * linesEach)
    } catch (cause) {
      for (const { reject } of entries) reject(cause)
    }
  }

  const settle = ({ read, resolve, reject }: Entry, lines: readonly string[], at: number) => {
    const allowed = Number(lines[at])
    if (Number.isNaN(allowed)) {
      const reason = String(lines[at])
      reject(reason === 'no number' ? noNumber() : link.errorOf(reason))
      return
    }
    const before = Number(lines[at + 1])
    const opensInMs = Number(lines[at + 2])
    const count = Number(lines[at + 3])
    try {
      resolve(read({ allowed, before, opensInMs, count, leftMs: Number(lines[at + 4]) }))
    } catch (cause) {
      reject(cause)
    }
  }

  const flush = () => {
    const entries = waiting
    waiting = []
    for (let i = 0; i < entries.length; i += mostTogether) void send(entries.slice(i, i + mostTogether))
  }

  return {
    ask<T>(question: Question, read: (decided: Decided) => Maybe<T>) {
      return new Promise<T>((resolve, reject) => {
        const entry: Entry = { question, read, resolve: resolve as (value: unknown) => void, reject }
        if (together === 1) void send([entry])
        else if (waiting.push(entry) === 1) atTurnEnd?.(flush)
      })
    },
  }
}
