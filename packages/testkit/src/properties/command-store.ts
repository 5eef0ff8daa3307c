/**
 * A store that knows a few commands and no more, and somebody who counts in it by them: the model under the property of
 * crashes. Whoever counts in one command (a script) keeps it; its faults are the ways in which counting in several
 * goes wrong.
 */
import type { CrashStep, CrashSubject } from './property-14-crash.ts'
import { stepName } from './property-14-crash.ts'

/** The commands. Each rejects once the store is cut off. */
export interface Commands {
  has(name: string): Promise<boolean>
  add(name: string): Promise<number>
  /** `undefined` takes an expiry off. */
  expire(name: string, ms: number | undefined): Promise<void>
  /** Several of them in one, as a script does. */
  together(work: (commands: { add(name: string): void; expire(name: string, ms: number): void }) => void): Promise<void>
}

/** Counts one request. */
export type CountRequest = (commands: Commands, name: string, windowMs: number, step: CrashStep) => Promise<void>

export const countInOneCommand: CountRequest = (commands, name, windowMs) =>
  commands.together(({ add, expire }) => {
    add(name)
    expire(name, windowMs)
  })

export function makeCommandStore(name: string, count: CountRequest = countInOneCommand): CrashSubject {
  return {
    name,
    slackMs: 0,
    async open(allowed) {
      const counters = new Map<string, { count: number; expiresInMs: number | undefined }>()
      let used = 0
      const command = async <T>(work: () => T): Promise<T> => {
        used += 1
        if (used > allowed) throw new Error('cut off')
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
        together: (work) => command(() => work({ add, expire })),
      }
      return {
        act: (step) => count(commands, stepName(step), step.windowSeconds * 1000, step),
        left: async () => [...counters].map(([counter, { expiresInMs }]) => ({ name: counter, expiresInMs })),
        close: async () => {},
      }
    },
  }
}
