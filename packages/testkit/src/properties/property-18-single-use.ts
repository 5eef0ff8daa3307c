/**
 * Property 18, about anything that is made, may be spent once while it lives, and then is worth nothing: authorisation codes,
 * refresh tokens, sign-on nonces. What may be tried wrongly (another client, another redirect URI) says so; such a try
 * must neither succeed nor spend.
 */
import type { Maybe, Millis } from '@turnpike/core'
import fc from 'fast-check'
import { makeProperty } from './property.ts'

/** One place where things are made and spent, with a clock of its own. */
export interface SingleUseUnderTest {
  /** Makes a thing; tells what names it. */
  issue(): Maybe<string>
  /** Tries to spend it; true: that was it. `wrongly`: with one of the facts that must fit changed. */
  spend(thing: string, wrongly: boolean): Maybe<boolean>
  wait(ms: Millis): Maybe<void>
}

export interface SingleUseSubject {
  readonly name: string
  /** How long a thing may be spent after it was made. */
  readonly lifetimeMs: Millis
  /** Whether a spending can be tried wrongly. */
  readonly hasChecks: boolean
  /** A fresh one for each case. */
  make(): Maybe<SingleUseUnderTest>
}

/** When a round is played, as seen from the making of the things. */
const moments = ['at once', 'halfway', 'in the last second', 'at the end', 'after the end'] as const
type Moment = (typeof moments)[number]

interface Try {
  readonly thing: 0 | 1
  readonly wrongly: boolean
}

interface Round {
  readonly moment: Moment
  /** Made at once. */
  readonly tries: readonly Try[]
}

const round: fc.Arbitrary<Round> = fc.record({
  moment: fc.constantFrom(...moments),
  tries: fc.array(fc.record({ thing: fc.constantFrom(0 as const, 1 as const), wrongly: fc.boolean() }), {
    minLength: 1,
    maxLength: 6,
  }),
})

export const singleUseProperty = makeProperty<SingleUseSubject, readonly Round[]>({
  number: 18,
  name: 'spent once',
  statement:
    'A code, a refresh token or a nonce is spent at most once under any concurrency, by a try that is right, and by none from the end of its life on.',
  cases: fc
    .array(round, { minLength: 1, maxLength: 4 })
    .map((rounds) => rounds.toSorted((a, b) => moments.indexOf(a.moment) - moments.indexOf(b.moment))),
  requestsOf: (rounds) => rounds.reduce((sum, { tries }) => sum + tries.length, 0),
  show: (rounds) =>
    rounds
      .map(({ moment, tries }) => {
        const words = tries.map(
          ({ thing, wrongly }) => `${wrongly ? 'wrongly ' : ''}${thing === 0 ? 'first' : 'second'}`,
        )
        return `  ${moment}: ${words.join(', ')}`
      })
      .join('\n'),
  async check(subject, rounds) {
    const underTest = await subject.make()
    const things = [await underTest.issue(), await underTest.issue()]
    if (things[0] === things[1]) return 'two things have one name'
    const spent = [false, false]
    let now = 0
    for (const { moment, tries } of rounds) {
      const at = instantOf(moment, subject.lifetimeMs)
      if (at > now) await underTest.wait(at - now)
      now = Math.max(now, at)
      const made = subject.hasChecks ? tries : tries.map(({ thing }): Try => ({ thing, wrongly: false }))
      const done = await Promise.all(
        made.map(async ({ thing, wrongly }) => underTest.spend(things[thing] as string, wrongly)),
      )
      for (const thing of [0, 1] as const) {
        const reason = judge(thing)
        if (reason !== undefined) return `${moment}, the ${thing === 0 ? 'first' : 'second'} thing ${reason}`
      }

      function judge(thing: 0 | 1): string | undefined {
        const right = made.flatMap((one, i) => (one.thing === thing && !one.wrongly ? [done[i] === true] : []))
        const wrong = made.flatMap((one, i) => (one.thing === thing && one.wrongly ? [done[i] === true] : []))
        if (wrong.includes(true)) return 'is spent by a try that is wrong'
        const times = right.filter(Boolean).length
        const wanted = right.length > 0 && !spent[thing] && now < subject.lifetimeMs ? 1 : 0
        if (times > 0) spent[thing] = true
        return times === wanted ? undefined : `is spent ${times} times, not ${wanted}`
      }
    }
    return undefined
  },
})

function instantOf(moment: Moment, lifetimeMs: Millis): Millis {
  switch (moment) {
    case 'at once':
      return 0
    case 'halfway':
      return Math.floor(lifetimeMs / 2)
    case 'in the last second':
      return lifetimeMs - 1
    case 'at the end':
      return lifetimeMs
    case 'after the end':
      return lifetimeMs + 500
  }
}
