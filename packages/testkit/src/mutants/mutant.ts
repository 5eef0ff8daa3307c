/**
 * A planted fault: something real with one small thing wrong, and the property that must catch it. A property that lets its
 * faults through proves nothing.
 */
import { isPromise, type Maybe, type Millis, type RateResult } from '@turnpike/core'
import { type CheckOptions, checkProperty, type Property, type PropertyReport } from '../properties/property.ts'
import type { RateSubject, RateUnderTest } from '../properties/rate-subject.ts'

export interface Mutant {
  /** What is wrong, in words. */
  readonly name: string
  /** Number and name of the property that must catch it. */
  readonly property: string
  /** Runs that property; `holds: true` means that the fault went unseen. */
  run(options?: CheckOptions): Promise<PropertyReport>
}

export function makeMutant<S>(name: string, property: Property<S>, subject: S): Mutant {
  return {
    name,
    property: `${property.number}, ${property.name}`,
    run: (options) => checkProperty(property, subject, options),
  }
}

/** A verb in place of the real one, which it may use. */
export type PatchedTake = (
  real: RateUnderTest,
  request: { readonly key: string; readonly at: Millis; readonly amount: number },
) => Maybe<RateResult>

/** A subject whose verb is patched; each set of counters gets a patch of its own, which may remember things. */
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

/** A subject whose counters are wrapped. */
export function patchMake(subject: RateSubject, wrap: (real: RateUnderTest) => RateUnderTest): RateSubject {
  return { ...subject, make: (limit) => wrap(subject.make(limit)) }
}

/** A subject that is made for another limit than the one it is told. */
export function patchLimit(
  subject: RateSubject,
  change: (limit: { rate: number; per: number }) => { rate: number; per: number },
): RateSubject {
  return { ...subject, make: (limit) => subject.make(change(limit)) }
}

/** An answer that is told otherwise, when it is there. */
export function answerChanged<T>(answer: Maybe<T>, change: (answer: T) => T): Maybe<T> {
  return isPromise(answer) ? answer.then(change) : change(answer)
}
