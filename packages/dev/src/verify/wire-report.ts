/** The report as JSON: names in snake case, without engine objects. */
import { timelineOf } from './timeline.ts'
import type { VerifyReport } from './verify-gateway.ts'

export function toWireReport(report: VerifyReport): object {
  const { apis, policies, limiter, guarantees, untried, warnings, notes, traces, requests, seed, broken } = report
  return {
    verified: broken === undefined && warnings.length === 0,
    apis,
    policies,
    limiter,
    traces,
    requests,
    seed,
    guarantees: guarantees.map(({ words, note, reached }) => ({ guarantee: words, note, reached })),
    not_tried: untried,
    warnings: warnings.map(({ kind, source, sentence, fix }) => ({ kind, source, sentence, fix })),
    notes: notes.map(({ kind, source, sentence, fix }) => ({ kind, source, sentence, fix })),
    broken: broken && {
      property: broken.violation.property,
      sentence: broken.violation.sentence,
      seed: broken.seed,
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
