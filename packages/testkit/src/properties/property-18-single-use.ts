/**
 * Property 18 for tokens that are valid for one use during their lifetime: authorization codes, refresh tokens, sign-on
 * nonces. An invalid attempt (another client or redirect URI) must neither succeed nor use the token up.
 */
import type { Maybe, Millis } from '@turnpike/core/lib'
import fc from 'fast-check'
import { makeProperty } from './property.ts'

/** An issuer of tokens with its own clock. */
export interface SingleUseUnderTest {
  /** Issues a token and returns it. */
  issue(): Maybe<string>
  /** Tries to use a token and returns true on success. `isInvalid`: another value does not match the token. */
  redeem(token: string, isInvalid: boolean): Maybe<boolean>
  wait(ms: Millis): Maybe<void>
}

export interface SingleUseSubject {
  readonly name: string
  /** Lifetime of a token. */
  readonly lifetimeMs: Millis
  /** Whether the subject supports invalid attempts. */
  readonly hasChecks: boolean
  /** Makes an issuer for one case. */
  make(): Maybe<SingleUseUnderTest>
}

/** The instants of rounds in their order, relative to the time when the tokens are issued. */
const instants = {
  'at once': () => 0,
  halfway: (lifetimeMs) => Math.floor(lifetimeMs / 2),
  'in the last second': (lifetimeMs) => lifetimeMs - 1,
  'at the end': (lifetimeMs) => lifetimeMs,
  'after the end': (lifetimeMs) => lifetimeMs + 500,
} satisfies Record<string, (lifetimeMs: Millis) => Millis>
type Moment = keyof typeof instants
const moments = Object.keys(instants) as Moment[]

interface Attempt {
  readonly token: 0 | 1
  readonly isInvalid: boolean
}

interface Round {
  readonly moment: Moment
  /** Concurrent attempts. */
  readonly attempts: readonly Attempt[]
}

const round: fc.Arbitrary<Round> = fc.record({
  moment: fc.constantFrom(...moments),
  attempts: fc.array(fc.record({ token: fc.constantFrom(0 as const, 1 as const), isInvalid: fc.boolean() }), {
    minLength: 1,
    maxLength: 6,
  }),
})

export const singleUseProperty = makeProperty<SingleUseSubject, readonly Round[]>({
  number: 18,
  isExpensive: true,
  name: 'single use',
  statement:
    'A code, a refresh token or a nonce can be used at most once under any concurrency, only by a valid attempt, and not after its lifetime.',
  cases: fc
    .array(round, { minLength: 1, maxLength: 4 })
    .map((rounds) => rounds.toSorted((a, b) => moments.indexOf(a.moment) - moments.indexOf(b.moment))),
  requestsOf: (rounds) => rounds.reduce((sum, { attempts }) => sum + attempts.length, 0),
  show: (rounds) =>
    rounds
      .map(({ moment, attempts }) => {
        const words = attempts.map(
          ({ token, isInvalid }) => `${isInvalid ? 'invalid ' : ''}${token === 0 ? 'first' : 'second'}`,
        )
        return `  ${moment}: ${words.join(', ')}`
      })
      .join('\n'),
  async check(subject, rounds) {
    const underTest = await subject.make()
    const tokens = [await underTest.issue(), await underTest.issue()]
    if (tokens[0] === tokens[1]) return 'two tokens are equal'
    const used = [false, false]
    let now = 0
    for (const { moment, attempts } of rounds) {
      const at = instants[moment](subject.lifetimeMs)
      if (at > now) await underTest.wait(at - now)
      now = Math.max(now, at)
      const made = subject.hasChecks ? attempts : attempts.map(({ token }): Attempt => ({ token, isInvalid: false }))
      const done = await Promise.all(
        made.map(async ({ token, isInvalid }) => underTest.redeem(tokens[token] as string, isInvalid)),
      )
      for (const token of [0, 1] as const) {
        const reason = findViolation(token)
        if (reason !== undefined) return `${moment}, the ${token === 0 ? 'first' : 'second'} token ${reason}`
      }

      function findViolation(token: 0 | 1): string | undefined {
        const right = made.flatMap((one, i) => (one.token === token && !one.isInvalid ? [done[i] === true] : []))
        const wrong = made.flatMap((one, i) => (one.token === token && one.isInvalid ? [done[i] === true] : []))
        if (wrong.includes(true)) return 'is used by an invalid attempt'
        const times = right.filter(Boolean).length
        const expected = right.length > 0 && !used[token] && now < subject.lifetimeMs ? 1 : 0
        if (times > 0) used[token] = true
        return times === expected ? undefined : `is used ${times} times, not ${expected}`
      }
    }
    return undefined
  },
})
