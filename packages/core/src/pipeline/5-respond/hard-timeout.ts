/** Shortens the time limit of the upstream response for a path (docs/reference/upstreams.md#upstream-errors). */

import type { MakeStage } from '../contract/stage.ts'
import { makeRuleStage } from '../shared/match-path-rules.ts'

export const makeHardTimeout: MakeStage = (compileContext) => {
  const general = compileContext.services.settings.upstream.timeoutMs
  return makeRuleStage(
    compileContext.version.paths.hardTimeouts,
    compileContext,
    ({ timeout }) => {
      if (timeout <= 0) return undefined
      // As recorded, the timeout of the gateway also limits longer ones.
      return general > 0 ? Math.min(timeout * 1000, general) : timeout * 1000
    },
    (timeoutMs, { outgoing, trace }) => {
      outgoing.timeoutMs = timeoutMs
      trace?.note(`at most ${timeoutMs} ms`)
      return undefined
    },
  )
}
