/**
 * A mutant: a real implementation with one seeded bug, and the property that must detect it. A property that misses its
 * mutants proves nothing.
 */
import { isPromise, type Maybe, type Millis } from '@turnpike/core/lib'
import type { RateResult } from '@turnpike/core/ports'
import type { WrittenRate } from '../arbitraries/rate-cases.ts'
import { type CheckOptions, checkProperty, type Property, type PropertyRun } from '../properties/property.ts'
import type { RateSubject, RateUnderTest } from '../properties/subjects/rate-subject.ts'

/**
 * `name` says what is wrong, and `property` must detect it. If a run reports `holds: true`, the property missed the
 * mutant.
 */
export type Mutant = PropertyRun

export function makeMutant<S>(name: string, property: Property<S>, subject: S): Mutant {
  return {
    name,
    property: `${property.number}, ${property.name}`,
    run: (options) => checkProperty(property, subject, options),
  }
}

/** Mutants that one property must detect: a subject for each name. */
export function mutantsOf<S>(property: Property<S>, subjects: Readonly<Record<string, S>>): Mutant[] {
  return Object.entries(subjects).map(([name, subject]) => makeMutant(name, property, subject))
}

/** How a mutant was detected. */
export interface FoundMutant extends Pick<Mutant, 'name' | 'property'> {
  /** Seed and path to try first the next time. */
  readonly seed: number
  readonly path: string
  /** Number of requests until detection, including those of shrinking. */
  readonly requests: number
  /** The message of the property. */
  readonly reason: string
}

/** The record with the shortest trace. */
export interface TracedMutant extends FoundMutant {
  readonly trace: string
}

/** Searches for a mutant. Throws if its property does not detect it. */
export async function findMutant(mutant: Mutant, run: CheckOptions = {}): Promise<TracedMutant> {
  const report = await mutant.run({ requests: 20_000, seed: 1, ...run })
  if (report.holds) throw new Error(`property ${mutant.property} does not see: ${mutant.name}`)
  const { seed, path, requests, reason, trace } = report
  return { name: mutant.name, property: mutant.property, seed, path, requests, reason, trace }
}

/** Replaces `take`; receives the real counters. */
export type PatchedTake = (real: RateUnderTest, request: TakenRequest) => Maybe<RateResult>

export interface TakenRequest {
  readonly key: string
  readonly at: Millis
  readonly amount: number
}

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

/** Changes what is counted: the key, the time or the amount. */
export function patchRequest(
  subject: RateSubject,
  change: (request: TakenRequest) => Partial<TakenRequest>,
): RateSubject {
  return patchTake(subject, () => (real, request) => {
    const { key, at, amount } = { ...request, ...change(request) }
    return real.take(key, at, amount)
  })
}

/** Changes the results of a subject. */
export function patchResult(
  subject: RateSubject,
  change: (result: RateResult, request: TakenRequest) => RateResult,
): RateSubject {
  return patchTake(
    subject,
    () => (real, request) =>
      answerChanged(real.take(request.key, request.at, request.amount), (result) => change(result, request)),
  )
}

/** Makes the counters of a subject with a changed limit. */
export function patchLimit(subject: RateSubject, change: (limit: WrittenRate) => WrittenRate): RateSubject {
  return { ...subject, make: (limit) => subject.make(change(limit)) }
}

/** Changes a result, also one that is a promise. */
export function answerChanged<T>(answer: Maybe<T>, change: (answer: T) => T): Maybe<T> {
  return isPromise(answer) ? answer.then(change) : change(answer)
}
