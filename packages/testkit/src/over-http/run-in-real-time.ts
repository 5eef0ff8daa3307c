/**
 * Runs a property against a system that responds in real time. A run in which a request was too late to judge proves
 * nothing and is repeated. A reported violation comes from a run in which every request was on time.
 */
import fc from 'fast-check'
import type { PropertyWithCases } from '../properties/property.ts'

/** A subject with responses in real time. `S`: the subject of the property. */
export interface TimedSubject<S> {
  readonly name: string
  /** Returns the subject for one case and a function that reports on the case. */
  begin(): TimedCase<S>
}

export interface TimedCase<S> {
  readonly subject: S
  /** Returns the reason why the case cannot be judged, or `undefined` if it can. */
  blurred(): string | undefined
}

export interface RealTimeRun {
  /** Default 20. */
  readonly cases?: number
  /** Number of concurrent cases; each has its own counters. Default 10. */
  readonly together?: number
  /** Number of attempts after a case that cannot be judged. Default 3. */
  readonly tries?: number
  /** Default: random. */
  readonly seed?: number
}

export interface RealTimeReport {
  readonly holds: boolean
  readonly property: string
  readonly seed: number
  /** Number of cases that were judged. */
  readonly judged: number
  /** Number of cases that could not be judged, and the reason of the last. */
  readonly blurred: number
  readonly blurredBy: string | undefined
  /** The shortest case that violated the property, and how. */
  readonly broken: { readonly reason: string; readonly trace: string } | undefined
}

type Verdict = { kind: 'held' } | { kind: 'blurred'; why: string } | { kind: 'broken'; reason: string }

/**
 * Checks the property on generated cases, several concurrently, until one violates it. Rejects if a request cannot be
 * sent.
 */
export async function runInRealTime<S, C>(
  property: PropertyWithCases<S, C>,
  timed: TimedSubject<S>,
  cases: fc.Arbitrary<C>,
  run: RealTimeRun = {},
): Promise<RealTimeReport> {
  const { together = 10, tries = 3 } = run
  const seed = run.seed ?? Math.floor(Math.random() * 0x7fff_ffff)
  const waiting = fc.sample(cases, { numRuns: run.cases ?? 20, seed })
  const broken: { reason: string; trace: string }[] = []
  let judged = 0
  let blurredBy: string | undefined
  let blurred = 0

  const work = async () => {
    // One violation is enough, but concurrent cases may still be shorter.
    while (broken.length === 0) {
      const propertyCase = waiting.pop()
      if (propertyCase === undefined) return
      const verdict = await judge(property, timed, propertyCase, tries)
      if (verdict.kind === 'blurred') {
        blurred += 1
        blurredBy = verdict.why
        continue
      }
      judged += 1
      if (verdict.kind === 'broken') broken.push({ reason: verdict.reason, trace: property.show(propertyCase) })
    }
  }
  await Promise.all(Array.from({ length: together }, work))
  const [shortest] = broken.toSorted((a, b) => a.trace.length - b.trace.length)
  const title = `property ${property.number}, ${property.name}`
  return { holds: shortest === undefined, property: title, seed, judged, blurred, blurredBy, broken: shortest }
}

async function judge<S, C>(
  property: PropertyWithCases<S, C>,
  timed: TimedSubject<S>,
  propertyCase: C,
  tries: number,
): Promise<Verdict> {
  let why = ''
  for (let tried = 0; tried <= tries; tried += 1) {
    const { subject, blurred } = timed.begin()
    const reason = await property.check(subject, propertyCase)
    const blur = blurred()
    if (blur === undefined) return reason === undefined ? { kind: 'held' } : { kind: 'broken', reason }
    why = blur
  }
  return { kind: 'blurred', why }
}

/** Formats a report as lines for a terminal. */
export function showRealTimeReport(report: RealTimeReport, subject: string): string {
  const { property, judged, blurred, blurredBy, broken, seed } = report
  const more = blurred === 0 ? '' : `; ${blurred} could not be judged: ${blurredBy}`
  if (broken === undefined) return `${property} holds for ${subject} (${judged} cases in real time${more})`
  return `${property} is broken by ${subject}: ${broken.reason}\n${broken.trace}\n  seed ${seed}${more}`
}
