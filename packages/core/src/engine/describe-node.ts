/** Reads the current state of a node from its engine. */

import type { Clock, Millis } from '../ports/clock.ts'
import type { Engine } from './engine.ts'
import type { NodeState, ReloadState } from './node-state.ts'

export interface DescribedNode {
  readonly id: string
  /** Name of the machine, for operators. */
  readonly host: string
  readonly startedAt: Millis
  readonly clock: Pick<Clock, 'now'>
  readonly engine: Pick<Engine, 'report' | 'definitions' | 'servedHash'>
}

export function describeNode({ id, host, startedAt, clock, engine }: DescribedNode): NodeState {
  return {
    id,
    host,
    startedAt,
    seenAt: clock.now(),
    servedHash: engine.servedHash(),
    apis: engine.definitions().length,
    lastReload: reloadStateOf(engine),
  }
}

function reloadStateOf({ report }: Pick<Engine, 'report'>): ReloadState | undefined {
  const last = report()
  if (last === undefined) return undefined
  const { startedAt, durationMs, dropped, failed, policies } = last
  const at = startedAt + durationMs
  if (dropped !== undefined) return { at, durationMs, outcome: 'dropped', reason: dropped }
  const reasons = failed.map(({ source, reason }) => `${source}: ${reason}`)
  if (policies.problem !== undefined) reasons.push(policies.problem)
  return reasons.length === 0
    ? { at, durationMs, outcome: 'done' }
    : { at, durationMs, outcome: 'partly', reason: reasons.join('; ') }
}
