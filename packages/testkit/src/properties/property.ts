/**
 * What a property is, and how it is run: by `checkProperty` for a report, by `expectProperty` in a test, or by `property.property` inside
 * fast-check. A property's number is stable; each stands in a file of its own, named after it.
 */
import fc from 'fast-check'

/** A property that everything of one kind must have. `S`: what is put under it. */
export interface Property<S> {
  readonly number: number
  readonly name: string
  readonly statement: string
  /** The property as a property of fast-check; `count` hears the number of requests of each case. */
  toFastCheck(subject: S, count?: (requests: number) => void): fc.IAsyncProperty<[unknown]>
}

/** What a property says of its cases. `C`: a case. */
export interface PropertyDefinition<S, C> {
  readonly number: number
  readonly name: string
  readonly statement: string
  readonly cases: fc.Arbitrary<C>
  requestsOf(propertyCase: C): number
  /** What is wrong, in words; `undefined`: nothing. A promise only where the subject makes one. */
  check(subject: S, propertyCase: C): Promise<string | undefined>
  /** The case for people. */
  show(propertyCase: C): string
}

/** Says which case broke a property, and how. */
export class PropertyViolation extends Error {
  readonly reason: string
  readonly shownCase: string
  constructor(reason: string, shownCase: string) {
    super(`${reason}\n${shownCase}`)
    this.reason = reason
    this.shownCase = shownCase
  }
}

/** A property whose cases can be drawn by others as well, for subjects that only some cases suit. */
export interface PropertyWithCases<S, C> extends Property<S>, PropertyDefinition<S, C> {}

export function makeProperty<S, C>(text: PropertyDefinition<S, C>): PropertyWithCases<S, C> {
  return {
    ...text,
    toFastCheck(subject, count) {
      return fc.asyncProperty(text.cases as fc.Arbitrary<unknown>, async (drawn) => {
        const propertyCase = drawn as C
        count?.(text.requestsOf(propertyCase))
        const reason = await text.check(subject, propertyCase)
        if (reason !== undefined) throw new PropertyViolation(reason, text.show(propertyCase))
      })
    },
  }
}

export interface CheckOptions {
  /** Requests to try, at the least. Default 10,000. */
  readonly requests?: number
  /** Default: drawn. A report tells the seed that repeats it. */
  readonly seed?: number | undefined
  /** Whether a case that breaks the property is made short; default: yes. */
  readonly shrink?: boolean
  /** Cases between two looks at how many requests were tried: the fewest that are. Default 100. */
  readonly cases?: number
  /** From a report: goes straight to the counterexample. */
  readonly path?: string | undefined
}

export type PropertyReport =
  | { readonly holds: true; readonly property: string; readonly requests: number }
  | {
      readonly holds: false
      readonly property: string
      readonly requests: number
      readonly reason: string
      /** The shortest trace found that still breaks the property. */
      readonly trace: string
      readonly seed: number
      readonly path: string
    }

/** Tries a property on drawn cases until enough requests were made or one case broke it; that one is made short. */
export async function checkProperty<S>(
  property: Property<S>,
  subject: S,
  run: CheckOptions = {},
): Promise<PropertyReport> {
  const wanted = run.requests ?? 10_000
  const title = `property ${property.number}, ${property.name}`
  // A seed for all tests is the first batch's here; the same in each would try the same cases again and again.
  const seed = run.seed ?? fc.readConfigureGlobal().seed
  let requests = 0
  const checked = property.toFastCheck(subject, (some) => {
    requests += some
  })
  for (let batch = 0; requests < wanted; batch += 1) {
    const details = await fc.check(checked, {
      numRuns: run.cases ?? 100,
      endOnFailure: run.shrink === false,
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

/** A report in lines for a terminal. */
export function showReport(report: PropertyReport, subject: string): string {
  if (report.holds) return `${report.property} holds for ${subject} (${report.requests} requests)`
  const again = `again with seed ${report.seed}, path "${report.path}"`
  return `${report.property} is broken by ${subject}: ${report.reason}\n${report.trace}\n  ${again}`
}

/** Throws, with the shortest trace and its seed in the message, when the subject breaks the property. */
export async function expectProperty<S extends { readonly name: string }>(
  property: Property<S>,
  subject: S,
  run: CheckOptions = {},
): Promise<void> {
  const report = await checkProperty(property, subject, run)
  if (!report.holds) throw new Error(showReport(report, subject.name))
}
