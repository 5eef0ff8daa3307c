/** Sequential models of a counter with a limit, of a counter per window, and of a record that is created and deleted. */
import type { SequentialModel } from './operation.ts'

/** Counts one request. */
export interface Consume {
  readonly kind: 'consume'
}

/** The decision about one request. */
export interface Consumed {
  readonly allowed: boolean
  /** Requests left after this one, if the response says so. Only checked if the request is allowed. */
  readonly remaining?: number
}

/**
 * A counter that admits `max` requests and never renews: a quota, or a rate whose window is longer than the history. The
 * state is the number of admitted requests.
 */
export function limitModel(max: number): SequentialModel<number, Consume, Consumed> {
  return {
    initial: 0,
    apply(used, _, output) {
      if (output?.allowed === false) return used >= max ? [used] : []
      const isPossible = used < max && (output?.remaining === undefined || output.remaining === max - used - 1)
      return isPossible ? [used + 1] : []
    },
    isObserver: (_, { allowed }) => !allowed,
  }
}

/** The decision about one request, with the end of the window that counted it. */
export interface ConsumedInWindow {
  readonly allowed: boolean
  /** End of the window, in any unit; later windows have higher numbers. */
  readonly windowEndsAt: number
}

/** The latest window that a response named, and how many requests the current one has admitted. */
export interface WindowState {
  readonly windowEndsAt: number
  readonly used: number
  /** The current window is later than `windowEndsAt`; no response has named it yet. */
  readonly isLater?: true
}

/** Windows follow each other, and each admits `max` requests: a fixed window. */
export function windowLimitModel(max: number): SequentialModel<WindowState, Consume, ConsumedInWindow> {
  return {
    initial: { windowEndsAt: Number.MIN_SAFE_INTEGER, used: 0 },
    apply(state, _, output) {
      const { windowEndsAt, used, isLater } = state
      if (output === undefined) {
        return [...(used < max ? [{ ...state, used: used + 1 }] : []), { windowEndsAt, used: 1, isLater: true }]
      }
      const next = output.windowEndsAt
      if (next < windowEndsAt || (isLater && next === windowEndsAt)) return []
      // A window that no response has named may be this one, or one between the two.
      const counts = next === windowEndsAt ? [used] : isLater ? [used, 0] : [0]
      return counts.flatMap((count) => {
        if (output.allowed) return count < max ? [{ windowEndsAt: next, used: count + 1 }] : []
        return count >= max ? [{ windowEndsAt: next, used: count }] : []
      })
    },
  }
}

export type RecordCall =
  | { readonly kind: 'create'; readonly value: string }
  | { readonly kind: 'update'; readonly value: string }
  | { readonly kind: 'read' }
  | { readonly kind: 'delete' }

export interface RecordReply {
  /** Whether the record existed; true for `create`. */
  readonly found: boolean
  /** What `read` returned. Not checked if it is absent. */
  readonly value?: string
}

/** A stored value that may be absent (`null`). `create` replaces an existing value; `update` and `delete` need one. */
export function recordModel(initial: string | null = null): SequentialModel<string | null, RecordCall, RecordReply> {
  return {
    initial,
    apply(state, call, reply) {
      const exists = state !== null
      if (call.kind === 'create') return reply?.found === false ? [] : [call.value]
      if (reply === undefined) return exists ? [afterCall(state, call)] : []
      if (reply.found !== exists) return []
      if (call.kind === 'read' && reply.value !== undefined && reply.value !== state) return []
      return [exists ? afterCall(state, call) : null]
    },
    isObserver: ({ kind }, { found }) => kind === 'read' || !found,
  }
}

function afterCall(state: string, call: RecordCall): string | null {
  if (call.kind === 'update') return call.value
  return call.kind === 'delete' ? null : state
}
