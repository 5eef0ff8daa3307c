/**
 * Property 14, the part about crashes: whoever counts in a store by commands may be ended between any two of them. Then no
 * counter may stay without an expiry (it would count for ever), and none may go too early or much too late. The parts
 * about reloads are in @turnpike/cluster-sim.
 */
import type { Millis } from '@turnpike/core'
import fc from 'fast-check'
import { makeProperty } from './property.ts'

/** One thing counted. Windows are long, so that a store with a clock of its own will do. */
export interface CrashStep {
  readonly kind: 'rolling' | 'sentinel' | 'fixed' | 'quota'
  readonly counter: string
  readonly windowSeconds: number
}

/** A counter that a crash left. */
export interface CounterLeft {
  readonly name: string
  /** `undefined`: never. */
  readonly expiresInMs: Millis | undefined
}

/** A store that is cut off from whoever counts after so many commands. */
export interface CrashUnderTest {
  /** Rejects when it is cut off on the way. */
  act(step: CrashStep): Promise<void>
  /** What is in the store, looked at by somebody else. */
  left(): Promise<readonly CounterLeft[]>
  close(): Promise<void>
}

export interface CrashSubject {
  readonly name: string
  /** ε, and what real time may take from an expiry until it is looked at. */
  readonly slackMs: Millis
  open(commands: number): Promise<CrashUnderTest>
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
  name: 'crash between two commands',
  statement:
    'A crash between any two store commands leaves no counter without expiry, and none that is far from its window.',
  cases: crashes,
  requestsOf: ({ steps }) => steps.length,
  show: ({ commands, steps }) =>
    [
      `  cut off after ${commands} commands`,
      ...steps.map(({ kind, counter, windowSeconds }) => `  ${kind} ${counter}, ${windowSeconds} s`),
    ].join('\n'),
  async check({ open, slackMs }, { commands, steps }) {
    const underTest = await open(commands)
    try {
      for (const step of steps) {
        const isCut = await underTest.act(step).then(
          () => false,
          () => true,
        )
        const wrong = judge(await underTest.left(), steps, slackMs)
        if (wrong !== undefined) return wrong
        if (isCut) return undefined
      }
      return undefined
    } finally {
      await underTest.close()
    }
  },
})

function judge(left: readonly CounterLeft[], steps: readonly CrashStep[], slackMs: Millis): string | undefined {
  for (const { name, expiresInMs } of left) {
    if (expiresInMs === undefined) return `the counter ${name} never expires`
    // A name may be counted over several windows; the expiry belongs to one of them.
    const windows = steps.filter((step) => name.includes(stepName(step))).map((step) => step.windowSeconds * 1000)
    const isFixed = steps.some((step) => step.kind === 'fixed' && name.includes(stepName(step)))
    const fits = windows.some((windowMs) => {
      const least = isFixed ? 0 : windowMs - slackMs
      return expiresInMs >= least && expiresInMs <= windowMs + slackMs
    })
    if (!fits) return `the counter ${name} expires in ${expiresInMs} ms, with a window of ${windows.join(' or ')} ms`
  }
  return undefined
}

/** The name under which a step counts; it stands in the names of all that it leaves. */
export function stepName({ kind, counter, windowSeconds }: CrashStep): string {
  return `${kind}-${counter}-${windowSeconds}`
}
