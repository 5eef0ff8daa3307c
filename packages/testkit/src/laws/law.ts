/**
 * What a law is, and how it is run: by `runLaw` for a report, by `expectLaw` in a test, or by `law.property` inside
 * fast-check. A law's number is stable; each stands in a file of its own, named after it.
 */
import fc from 'fast-check'

/** A property that everything of one kind must have. `S`: what is put under it. */
export interface Law<S> {
  readonly number: number
  readonly name: string
  readonly statement: string
  /** The law as a property of fast-check; `count` hears the number of requests of each case. */
  property(subject: S, count?: (requests: number) => void): fc.IAsyncProperty<[unknown]>
}

/** What a law says of its cases. `C`: a case. */
export interface LawText<S, C> {
  readonly number: number
  readonly name: string
  readonly statement: string
  readonly cases: fc.Arbitrary<C>
  requestsOf(lawCase: C): number
  /** What is wrong, in words; `undefined`: nothing. A promise only where the subject makes one. */
  check(subject: S, lawCase: C): Promise<string | undefined>
  /** The case for people. */
  show(lawCase: C): string
}

/** Says which case broke a law, and how. */
export class LawBroken extends Error {
  readonly reason: string
  readonly shownCase: string
  constructor(reason: string, shownCase: string) {
    super(`${reason}\n${shownCase}`)
    this.reason = reason
    this.shownCase = shownCase
  }
}

/** A law whose cases can be drawn by others as well, for subjects that only some cases suit. */
export interface TracedLaw<S, C> extends Law<S>, LawText<S, C> {}

export function makeLaw<S, C>(text: LawText<S, C>): TracedLaw<S, C> {
  return {
    ...text,
    property(subject, count) {
      return fc.asyncProperty(text.cases as fc.Arbitrary<unknown>, async (drawn) => {
        const lawCase = drawn as C
        count?.(text.requestsOf(lawCase))
        const reason = await text.check(subject, lawCase)
        if (reason !== undefined) throw new LawBroken(reason, text.show(lawCase))
      })
    },
  }
}

export interface LawRun {
  /** Requests to try, at the least. Default 10,000. */
  readonly requests?: number
  /** Default: drawn. A report tells the seed that repeats it. */
  readonly seed?: number | undefined
  /** Whether a case that breaks the law is made short; default: yes. */
  readonly shrink?: boolean
  /** Cases between two looks at how many requests were tried: the fewest that are. Default 100. */
  readonly cases?: number
  /** From a report: goes straight to the counterexample. */
  readonly path?: string | undefined
}

export type LawReport =
  | { readonly holds: true; readonly law: string; readonly requests: number }
  | {
      readonly holds: false
      readonly law: string
      readonly requests: number
      readonly reason: string
      /** The shortest trace found that still breaks the law. */
      readonly trace: string
      readonly seed: number
      readonly path: string
    }

/** Tries a law on drawn cases until enough requests were made or one case broke it; that one is made short. */
export async function runLaw<S>(law: Law<S>, subject: S, run: LawRun = {}): Promise<LawReport> {
  const wanted = run.requests ?? 10_000
  const title = `law ${law.number}, ${law.name}`
  // A seed for all tests is the first batch's here; the same in each would try the same cases again and again.
  const seed = run.seed ?? fc.readConfigureGlobal().seed
  let requests = 0
  const property = law.property(subject, (some) => {
    requests += some
  })
  for (let batch = 0; requests < wanted; batch += 1) {
    const details = await fc.check(property, {
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
      cause instanceof LawBroken ? [cause.reason, cause.shownCase] : [String(cause), String(details.counterexample)]
    return { holds: false, law: title, requests, reason, trace, seed: found, path: path ?? '' }
  }
  return { holds: true, law: title, requests }
}

/** A report in lines for a terminal. */
export function showReport(report: LawReport, subject: string): string {
  if (report.holds) return `${report.law} holds for ${subject} (${report.requests} requests)`
  const again = `again with seed ${report.seed}, path "${report.path}"`
  return `${report.law} is broken by ${subject}: ${report.reason}\n${report.trace}\n  ${again}`
}

/** Throws, with the shortest trace and its seed in the message, when the subject breaks the law. */
export async function expectLaw<S extends { readonly name: string }>(
  law: Law<S>,
  subject: S,
  run: LawRun = {},
): Promise<void> {
  const report = await runLaw(law, subject, run)
  if (!report.holds) throw new Error(showReport(report, subject.name))
}
