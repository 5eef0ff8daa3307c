/**
 * Runs the cases of a target in sequences. A target that keeps state between cases is opened again for each sequence, so
 * that the first seed of the sequence and the number of its cases reproduce everything that happened.
 */
import type { FuzzTarget } from './fuzz-target.ts'

/** Cases of a sequence, for targets that keep state. */
const casesPerSequence = 100

/** The cases that reproduce a finding: `count` seeds from `first`, on a target that was just opened. */
export interface CaseRange {
  readonly first: number
  readonly count: number
}

export interface Finding {
  readonly problem: unknown
  readonly range: CaseRange
}

export interface RunOptions {
  readonly firstSeed: number
  /** Returns false when no further case is to start; it is called after each case with the number of cases so far. */
  goesOn(cases: number): boolean
  /** Called before each case with the cases of its sequence, up to this one. */
  onCase(range: CaseRange): void
  /** Runs one case, for example with a limit of its time. */
  runCase(run: (seed: number) => Promise<void> | void, seed: number): Promise<void>
}

export interface RunResult {
  readonly cases: number
  readonly finding: Finding | undefined
}

export async function runTarget(target: FuzzTarget, options: RunOptions): Promise<RunResult> {
  let cases = 0
  let finding: Finding | undefined
  do {
    const sequence = await runSequence(target, options, cases)
    cases += sequence.cases
    finding = sequence.finding
  } while (finding === undefined && options.goesOn(cases))
  return { cases, finding: finding === undefined ? undefined : await shrinkToLastCase(target, finding, options) }
}

async function runSequence(target: FuzzTarget, options: RunOptions, before: number): Promise<RunResult> {
  const first = options.firstSeed + before
  const length = target.keepsState ? casesPerSequence : Number.POSITIVE_INFINITY
  options.onCase({ first, count: 1 })
  const opened = await target.open()
  let count = 0
  let finding: Finding | undefined
  do {
    const range = { first, count: count + 1 }
    options.onCase(range)
    try {
      await options.runCase(opened.run, first + count)
    } catch (problem) {
      finding = { problem, range: target.keepsState ? range : { first: first + count, count: 1 } }
    }
    count++
  } while (finding === undefined && count < length && options.goesOn(before + count))
  await opened.close()
  return { cases: count, finding }
}

/** Shrinks a finding of a sequence to its last case, if that case alone shows it. */
async function shrinkToLastCase(target: FuzzTarget, finding: Finding, options: RunOptions): Promise<Finding> {
  const { first, count } = finding.range
  if (count === 1) return finding
  const last = { first: first + count - 1, count: 1 }
  const alone = await runSequence(target, { ...options, goesOn: () => false }, last.first - options.firstSeed)
  return alone.finding === undefined ? finding : { problem: finding.problem, range: last }
}
