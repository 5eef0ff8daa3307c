/**
 * A mutant: a real implementation with one seeded bug, and the property that must detect it. A property that misses its
 * mutants proves nothing.
 */
import { isPromise, type Maybe, type Millis, type RateResult } from '@turnpike/core'
import { type CheckOptions, checkProperty, type Property, type PropertyReport } from '../properties/property.ts'
import type { RateSubject, RateUnderTest } from '../properties/subjects/rate-subject.ts'

export interface Mutant {
  /** What is wrong, in words. */
  readonly name: string
  /** Number and name of the property that must detect it. */
  readonly property: string
  /** Runs that property; `holds: true` means that the property missed the mutant. */
  run(options?: CheckOptions): Promise<PropertyReport>
}

export function makeMutant<S>(name: string, property: Property<S>, subject: S): Mutant {
  return {
    name,
    property: `${property.number}, ${property.name}`,
    run: (options) => checkProperty(property, subject, options),
  }
}

/** Replaces `take`; receives the real counters. */
export type PatchedTake = (
  real: RateUnderTest,
  request: { readonly key: string; readonly at: Millis; readonly amount: number },
) => Maybe<RateResult>

/** Replaces `take` of a subject. Each set of counters gets its own patch, which may have state. */
export function patchTake(subject: RateSubject, makePatch: (windowMs: Millis) => PatchedTake): RateSubject {
  return {
    ...subject,
    make(limit) {
      const real = subject.make(limit)
      const patch = makePatch(subject.traits.windowMs(limit.per))
      return { take: (key, at, amount) => patch(real, { key, at, amount }) }
    },
  }
}

/** Wraps the counters of a subject. */
export function patchMake(subject: RateSubject, wrap: (real: RateUnderTest) => RateUnderTest): RateSubject {
  return { ...subject, make: (limit) => wrap(subject.make(limit)) }
}

/** Makes the counters of a subject with a changed limit. */
export function patchLimit(
  subject: RateSubject,
  change: (limit: { rate: number; per: number }) => { rate: number; per: number },
): RateSubject {
  return { ...subject, make: (limit) => subject.make(change(limit)) }
}

/** Changes a result, also one that is a promise. */
export function answerChanged<T>(answer: Maybe<T>, change: (answer: T) => T): Maybe<T> {
  return isPromise(answer) ? answer.then(change) : change(answer)
}
