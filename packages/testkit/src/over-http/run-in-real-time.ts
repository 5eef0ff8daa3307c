/**
 * Runs a property against something that answers in real time. A run in which a request came too late to judge proves
 * nothing and is made again; what is told broken was broken in a run that was in time.
 */
import fc from 'fast-check'
import type { PropertyWithCases } from '../properties/property.ts'

/** A subject whose answers take real time. `S`: what the property is about. */
export interface TimedSubject<S> {
  readonly name: string
  /** The subject for one case, which tells how that case went. */
  begin(): TimedCase<S>
}

export interface TimedCase<S> {
  readonly subject: S
  /** Why what was seen cannot be judged; `undefined`: it can. */
  blurred(): string | undefined
}

export interface RealTimeRun {
  /** Default 20. */
  readonly cases?: number
  /** Cases under way together; each has counters of its own. Default 10. */
  readonly together?: number
  /** How often a case that cannot be judged is tried again. Default 3. */
  readonly tries?: number
  /** Default: drawn. */
  readonly seed?: number
}

export interface RealTimeReport {
  readonly holds: boolean
  readonly property: string
  readonly seed: number
  /** Cases that were judged. */
  readonly judged: number
  /** Cases that could not be judged, and why the last of them could not. */
  readonly blurred: number
  readonly blurredBy: string | undefined
  /** The shortest case that broke the property, and how. */
  readonly broken: { readonly reason: string; readonly trace: string } | undefined
}

type Verdict = { kind: 'held' } | { kind: 'blurred'; why: string } | { kind: 'broken'; reason: string }

/** Tries the property on drawn cases, several at once, until one breaks it. Rejects when a request cannot be sent at all. */
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
    // One broken case is enough; those under way with it may still be shorter.
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

/** A report in lines for a terminal. */
export function showRealTimeReport(report: RealTimeReport, subject: string): string {
  const { property, judged, blurred, blurredBy, broken, seed } = report
  const more = blurred === 0 ? '' : `; ${blurred} could not be judged: ${blurredBy}`
  if (broken === undefined) return `${property} holds for ${subject} (${judged} cases in real time${more})`
  return `${property} is broken by ${subject}: ${broken.reason}\n${broken.trace}\n  seed ${seed}${more}`
}
