/**
 * Property 14 for crashes: a client that counts by several store commands may crash between any two of them. Every counter
 * that remains must have an expiry close to its window; a counter without expiry would block its client for ever.
 * `property-14-refinement-reload.ts` and @turnpike/cluster-sim check reloads.
 */
import type { Millis } from '@turnpike/core/lib'
import type { CounterStore } from '@turnpike/core/ports'
import fc from 'fast-check'
import { consumeQuota, consumeRate } from './plain-counters.ts'
import { makeProperty } from './property.ts'

/** One counted request. Windows are long, so that the property works with a store that uses real time. */
export interface CrashStep {
  readonly kind: 'rolling' | 'sentinel' | 'fixed' | 'quota'
  readonly counter: string
  readonly windowSeconds: number
}

/** A counter that remains after a crash. */
export interface RemainingCounter {
  readonly name: string
  /** `undefined`: the counter never expires. */
  readonly expiresInMs: Millis | undefined
}

/** A client whose connection to the store fails after a number of commands. */
export interface CrashUnderTest {
  /** Counts one request. Rejects if the connection fails. */
  count(step: CrashStep): Promise<void>
  /** Returns the counters in the store, read through another connection. */
  remainingCounters(): Promise<readonly RemainingCounter[]>
  close(): Promise<void>
}

export interface CrashSubject {
  readonly name: string
  /** Tolerance of an expiry: the documented rounding, and the real time until the expiry is read. */
  readonly slackMs: Millis
  open(maxCommands: number): Promise<CrashUnderTest>
}

interface Crash {
  readonly commands: number
  readonly steps: readonly CrashStep[]
}

const crashes: fc.Arbitrary<Crash> = fc.record({
  commands: fc.integer({ min: 1, max: 12 }),
  steps: fc.array(
    fc.record({
      kind: fc.constantFrom('rolling', 'sentinel', 'fixed', 'quota'),
      counter: fc.constantFrom('a', 'b'),
      windowSeconds: fc.constantFrom(60, 3600),
    }),
    { minLength: 1, maxLength: 8 },
  ),
})

export const crashProperty = makeProperty<CrashSubject, Crash>({
  number: 14,
  isExpensive: true,
  name: 'refinement, crash',
  statement:
    'After a crash between any two store commands, every counter has an expiry, and the expiry is close to its window.',
  cases: crashes,
  requestsOf: ({ steps }) => steps.length,
  show: ({ commands, steps }) =>
    [
      `  connection fails after ${commands} commands`,
      ...steps.map(({ kind, counter, windowSeconds }) => `  ${kind} ${counter}, ${windowSeconds} s`),
    ].join('\n'),
  async check({ open, slackMs }, { commands, steps }) {
    const underTest = await open(commands)
    try {
      for (const step of steps) {
        const hasFailed = await underTest.count(step).then(
          () => false,
          () => true,
        )
        const wrong = findViolation(await underTest.remainingCounters(), steps, slackMs)
        if (wrong !== undefined) return wrong
        if (hasFailed) return undefined
      }
      return undefined
    } finally {
      await underTest.close()
    }
  },
})

function findViolation(
  counters: readonly RemainingCounter[],
  steps: readonly CrashStep[],
  slackMs: Millis,
): string | undefined {
  for (const { name, expiresInMs } of counters) {
    if (expiresInMs === undefined) return `the counter ${name} never expires`
    // A name may be counted with several windows. The expiry must fit one of them.
    const windows = steps.filter((step) => name.includes(stepName(step))).map((step) => step.windowSeconds * 1000)
    const isFixed = steps.some((step) => step.kind === 'fixed' && name.includes(stepName(step)))
    const fits = windows.some((windowMs) => {
      const minMs = isFixed ? 0 : windowMs - slackMs
      return expiresInMs >= minMs && expiresInMs <= windowMs + slackMs
    })
    if (!fits) return `the counter ${name} expires in ${expiresInMs} ms, with a window of ${windows.join(' or ')} ms`
  }
  return undefined
}

/** Counts one request of a step on a store. */
export async function countStep(counters: CounterStore, step: CrashStep): Promise<void> {
  const { kind, windowSeconds: per } = step
  if (kind === 'quota') await consumeQuota(counters, stepName(step), { max: 2, renewalSeconds: per }, 1)
  else {
    const limit = { algorithm: kind, rate: 2, per, smoothing: undefined, oneLess: false }
    await consumeRate(counters, stepName(step), limit, 1)
  }
}

/** Returns the counter name of a step. The names of all keys that it writes contain this name. */
export function stepName({ kind, counter, windowSeconds }: CrashStep): string {
  return `${kind}-${counter}-${windowSeconds}`
}
