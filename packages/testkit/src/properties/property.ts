/**
 * Defines properties and how to check them: `checkProperty` returns a report, `expectProperty` throws in a test, and
 * `toFastCheck` returns a fast-check property. The numbers of properties never change; docs/reference/properties.md lists
 * them.
 */
import fc from 'fast-check'
import type { Shapes } from '../arbitraries/case-shapes.ts'
import { aFlag, anObjectWith, aWholeNumber, checkInput, checkOptions, InputError } from '../check-input.ts'

/** A property that every subject of type `S` must satisfy. */
export interface Property<S> {
  readonly number: number
  readonly name: string
  readonly statement: string
  /** True if each case makes many store calls or starts an engine. Tests of stores then send a quarter of the requests. */
  readonly isExpensive?: true
  /** Returns a fast-check property for a subject. `count` is called with the number of requests of each case. */
  toFastCheck(subject: S, count?: (requests: number) => void): fc.IAsyncProperty<[unknown]>
}

/** The definition of a property whose test cases have type `C`. */
export interface PropertyDefinition<S, C> extends Omit<Property<S>, 'toFastCheck'> {
  readonly cases: fc.Arbitrary<C>
  requestsOf(propertyCase: C): number
  /** Describes the violation that a case shows, or returns `undefined` if the case satisfies the property. */
  check(subject: S, propertyCase: C): Promise<string | undefined>
  /** Formats a case for a report. */
  show(propertyCase: C): string
  /** Shapes of cases that `caseStatistics` counts. */
  readonly shapes?: Shapes<C>
}

/** Thrown if a case violates a property. */
export class PropertyViolation extends Error {
  readonly reason: string
  readonly shownCase: string
  constructor(reason: string, shownCase: string) {
    super(`${reason}\n${shownCase}`)
    this.reason = reason
    this.shownCase = shownCase
  }
}

/** A property with its definition, for subjects that need cases from another generator. */
export interface PropertyWithCases<S, C> extends Property<S>, PropertyDefinition<S, C> {}

export function makeProperty<S, C>(definition: PropertyDefinition<S, C>): PropertyWithCases<S, C> {
  return {
    ...definition,
    toFastCheck(subject, count) {
      return fc.asyncProperty(definition.cases as fc.Arbitrary<unknown>, async (generated) => {
        const propertyCase = generated as C
        count?.(definition.requestsOf(propertyCase))
        const reason = await definition.check(subject, propertyCase)
        if (reason !== undefined) throw new PropertyViolation(reason, definition.show(propertyCase))
      })
    },
  }
}

export interface CheckOptions {
  /** Minimum number of requests. Default 10,000. */
  readonly requests?: number
  /** Default: random. A report contains the seed that repeats it. */
  readonly seed?: number | undefined
  /** Whether to shrink a case that violates the property. Default true. */
  readonly shrink?: boolean
  /** Cases per batch. The number of requests is checked after each batch. Default 100. */
  readonly cases?: number
  /** The path of a report, to repeat its counterexample directly. Needs `seed`. */
  readonly path?: string | undefined
}

function checkRun(property: unknown, subject: unknown, run: CheckOptions): void {
  checkInput('checkProperty', 'the property', property, anObjectWith('toFastCheck'))
  checkInput('checkProperty', 'the subject', subject, anObjectWith())
  checkOptions('checkProperty', run, {
    requests: aWholeNumber(1),
    seed: aWholeNumber(-(2 ** 31)),
    shrink: aFlag,
    cases: aWholeNumber(1),
    path: (path) => (/^\d+(:\d+)*$/.test(String(path)) ? undefined : 'the path of a report, such as 3:0:1'),
  })
  if (run.path !== undefined && run.seed === undefined)
    throw new InputError('checkProperty: path is given without seed; pass the seed of the same report')
}

export type PropertyReport =
  | { readonly holds: true; readonly property: string; readonly requests: number }
  | {
      readonly holds: false
      readonly property: string
      readonly requests: number
      readonly reason: string
      /** The shrunk case that violates the property, formatted. */
      readonly trace: string
      readonly seed: number
      readonly path: string
    }

/**
 * Checks a property on generated cases until enough requests were made or a case violates it. That case is shrunk. With
 * the `seed` and `path` of a report, only its shrunk case runs. Rejects with an `InputError` if an argument is wrong.
 */
export async function checkProperty<S>(
  property: Property<S>,
  subject: S,
  run: CheckOptions = {},
): Promise<PropertyReport> {
  checkRun(property, subject, run)
  const minRequests = run.requests ?? 10_000
  const title = `property ${property.number}, ${property.name}`
  // Each batch gets its own seed: with a global seed, all batches would otherwise repeat the same cases.
  const seed = run.seed ?? fc.readConfigureGlobal().seed
  let requests = 0
  const checked = property.toFastCheck(subject, (added) => {
    requests += added
  })
  for (let batch = 0; requests < minRequests; batch += 1) {
    const details = await fc.check(checked, {
      numRuns: run.cases ?? 100,
      // The case of a path is already shrunk.
      endOnFailure: run.shrink === false || run.path !== undefined,
      ...(seed === undefined ? {} : { seed: seed + batch }),
      ...(run.path === undefined ? {} : { path: run.path }),
    })
    if (!details.failed) {
      if (run.path !== undefined) break
      continue
    }
    const cause = details.errorInstance
    const { seed: found, counterexamplePath: path } = details
    const [reason, trace] =
      cause instanceof PropertyViolation
        ? [cause.reason, cause.shownCase]
        : [String(cause), String(details.counterexample)]
    return { holds: false, property: title, requests, reason, trace, seed: found, path: path ?? '' }
  }
  return { holds: true, property: title, requests }
}

/** Formats a report for a terminal. */
export function showReport(report: PropertyReport, subject: string): string {
  if (report.holds) return `${report.property} holds for ${subject} (${report.requests} requests)`
  const repeat = `repeat with { seed: ${report.seed}, path: '${report.path}' }`
  return `${report.property} is violated by ${subject}: ${report.reason}\n${report.trace}\n  ${repeat}`
}

/** Throws if the subject violates the property. The message contains the shrunk case and its seed. */
export async function expectProperty<S extends { readonly name: string }>(
  property: Property<S>,
  subject: S,
  run: CheckOptions = {},
): Promise<void> {
  const report = await checkProperty(property, subject, run)
  if (!report.holds) throw new Error(showReport(report, subject.name))
}

/** A property and a subject that satisfies it. */
export interface PropertyRun {
  /** Number and name of the property, as in `Mutant`. */
  readonly property: string
  /** Name of the subject. */
  readonly name: string
  run(options?: CheckOptions): Promise<PropertyReport>
}

/** A property on one subject. */
export function propertyRun<S extends { readonly name: string }>(property: Property<S>, subject: S): PropertyRun {
  return {
    property: `${property.number}, ${property.name}`,
    name: subject.name,
    run: (options) => checkProperty(property, subject, options),
  }
}
