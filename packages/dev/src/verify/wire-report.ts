/** The report as JSON: names in snake case, without engine objects. */
import { timelineOf } from './timeline.ts'
import type { VerifyReport } from './verify-gateway.ts'

export function toWireReport(report: VerifyReport): object {
  const { apis, policies, limiter, promises, untried, surprises, traces, requests, seed, broken } = report
  return {
    verified: broken === undefined && surprises.length === 0,
    apis,
    policies,
    limiter,
    traces,
    requests,
    seed,
    promises: promises.map(({ words, note, reached }) => ({ promise: words, note, reached })),
    not_tried: untried,
    surprises: surprises.map(({ kind, source, sentence, wayOut }) => ({ kind, source, sentence, way_out: wayOut })),
    broken: broken && {
      law: broken.violation.law,
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
