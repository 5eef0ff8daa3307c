/** What a node tells the others of itself, as it stands in the store. */

export interface NodeState {
  /** Made anew at each start of a process. */
  readonly id: string
  readonly host: string
  /** Unix ms, by the node's own clock. */
  readonly startedAt: number
  /** When it said this; unix ms, by the node's own clock. */
  readonly seenAt: number
  /** Of the definitions and policies that it serves: nodes that serve the same tell the same. Empty before the first load. */
  readonly servedHash: string
  readonly apis: number
  /** Of its last reload; `undefined` before the first. */
  readonly lastReload: ReloadState | undefined
}

export interface ReloadState {
  readonly at: number
  readonly durationMs: number
  /** `partly`: some definitions could not be loaded. `dropped`: nothing was taken over. */
  readonly outcome: 'done' | 'partly' | 'dropped'
  readonly reason?: string
}

export function writeNodeState(state: NodeState): string {
  return JSON.stringify(state)
}

/** `undefined` for what no node wrote. */
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
