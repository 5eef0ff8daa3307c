/** The state of a node: read from its engine, and stored for the other nodes of the cluster. */
import type { Clock, Millis } from '../ports/clock.ts'
import type { Engine } from './engine.ts'

export interface NodeState {
  /** Generated at each start of the process. */
  readonly id: string
  readonly host: string
  /** Unix ms, by the node's own clock. */
  readonly startedAt: number
  /** Time of the last heartbeat; unix ms, by the node's own clock. */
  readonly seenAt: number
  /** Hash of the served definitions and policies; equal on nodes that serve the same. Empty before the first load. */
  readonly servedHash: string
  readonly apis: number
  /** `undefined` before the first reload. */
  readonly lastReload: ReloadState | undefined
}

interface ReloadState {
  readonly at: number
  readonly durationMs: number
  /** `partly`: some definitions could not be loaded. `dropped`: nothing changed. */
  readonly outcome: 'done' | 'partly' | 'dropped'
  readonly reason?: string
}

export function writeNodeState(state: NodeState): string {
  return JSON.stringify(state)
}

/** Parses a stored node state; `undefined` if it is invalid. */
export function readNodeState(text: string): NodeState | undefined {
  try {
    const state = JSON.parse(text) as Partial<NodeState> | null
    const isOne =
      typeof state?.id === 'string' &&
      typeof state.host === 'string' &&
      typeof state.startedAt === 'number' &&
      typeof state.seenAt === 'number' &&
      typeof state.servedHash === 'string'
    return isOne ? { ...(state as NodeState), apis: state.apis ?? 0, lastReload: state.lastReload } : undefined
  } catch {
    return undefined
  }
}

interface DescribedNode {
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
