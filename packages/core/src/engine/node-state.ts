/** The state of a node, as it is stored for the other nodes of the cluster. */

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

export interface ReloadState {
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
