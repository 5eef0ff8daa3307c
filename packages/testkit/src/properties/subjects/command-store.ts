/**
 * A minimal in-memory store with a few commands, as a subject of property 14 for crashes. Counting in one command (a
 * script) satisfies the property. The mutants count by several commands.
 */
import type { CrashStep, CrashSubject } from '../property-14-refinement-crash.ts'
import { stepName } from '../property-14-refinement-crash.ts'

/** The commands of the store. Each rejects after the connection has failed. */
export interface Commands {
  has(name: string): Promise<boolean>
  add(name: string): Promise<number>
  /** Sets the expiry; `undefined` removes it. */
  expire(name: string, ms: number | undefined): Promise<void>
  /** Runs several commands atomically, like a script. */
  transaction(
    work: (commands: { add(name: string): void; expire(name: string, ms: number): void }) => void,
  ): Promise<void>
}

/** Counts one request. */
export type CountRequest = (commands: Commands, name: string, windowMs: number, step: CrashStep) => Promise<void>

export const countInOneCommand: CountRequest = (commands, name, windowMs) =>
  commands.transaction(({ add, expire }) => {
    add(name)
    expire(name, windowMs)
  })

export function makeCommandStore(name: string, count: CountRequest = countInOneCommand): CrashSubject {
  return {
    name,
    slackMs: 0,
    async open(maxCommands) {
      const counters = new Map<string, { count: number; expiresInMs: number | undefined }>()
      let used = 0
      const command = async <T>(work: () => T): Promise<T> => {
        used += 1
        if (used > maxCommands) throw new Error('connection failed')
        return work()
      }
      const add = (counter: string) => {
        const before = counters.get(counter)
        counters.set(counter, { count: (before?.count ?? 0) + 1, expiresInMs: before?.expiresInMs })
        return (before?.count ?? 0) + 1
      }
      const expire = (counter: string, ms: number | undefined) => {
        const before = counters.get(counter)
        if (before !== undefined) before.expiresInMs = ms
      }
      const commands: Commands = {
        has: (counter) => command(() => counters.has(counter)),
        add: (counter) => command(() => add(counter)),
        expire: (counter, ms) => command(() => expire(counter, ms)),
        transaction: (work) => command(() => work({ add, expire })),
      }
      return {
        count: (step) => count(commands, stepName(step), step.windowSeconds * 1000, step),
        remainingCounters: async () =>
          [...counters].map(([counter, { expiresInMs }]) => ({ name: counter, expiresInMs })),
        close: async () => {},
      }
    },
  }
}
