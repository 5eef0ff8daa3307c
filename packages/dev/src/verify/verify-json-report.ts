/** The report as JSON: names in snake case, without engine objects. */

import { isExercised } from './coverage.ts'
import { timelineOf } from './trace-timeline.ts'
import { outcomeOf, type VerifyReport } from './verify-gateway.ts'
import type { Warning } from './warning.ts'

export function toJsonReport(report: VerifyReport): object {
  const { apis, policies, limiter, guarantees, untried, warnings, notes, traces, requests, seed, broken, brokenAt } =
    report
  return {
    outcome: outcomeOf(report),
    verified: outcomeOf(report) === 'verified',
    apis,
    policies,
    limiter,
    traces,
    requests,
    seed,
    guarantees: guarantees.map(({ words, note, coverage, at }) => ({
      guarantee: words,
      note,
      reached: isExercised(coverage),
      coverage: coverage ?? null,
      ...at,
    })),
    not_tried: untried,
    warnings: warnings.map(toJsonWarning),
    notes: notes.map(toJsonWarning),
    broken: broken && {
      property: broken.violation.property,
      sentence: broken.violation.sentence,
      seed: broken.seed,
      stopped_early: broken.stoppedEarly,
      ...brokenAt,
      timeline: timelineOf(broken.moments).map(({ at, key, text, count, passed, wrong }) => ({
        at_ms: at,
        key,
        what: text,
        requests: count,
        passed,
        wrong,
      })),
    },
  }
}

function toJsonWarning({ kind, source, sentence, fix, at }: Warning): object {
  return { kind, source, sentence, fix, ...at }
}
