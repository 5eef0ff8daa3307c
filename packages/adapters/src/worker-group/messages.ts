/** Messages between the workers of a gateway and their supervisor. Each side numbers its own requests. */

export type GroupMessage =
  /** From a worker: a request to the supervisor or, with a topic that it does not handle, to all workers. */
  | { readonly kind: 'request'; readonly id: number; readonly topic: string; readonly payload: unknown }
  | { readonly kind: 'reply'; readonly id: number; readonly value?: unknown; readonly error?: string }
  /** From a worker: its event loop runs. */
  | { readonly kind: 'alive' }

/** One end of the connection between a worker and its supervisor. */
export interface GroupChannel {
  send(message: GroupMessage): void
  /** Calls the listener for each message of the other end. */
  onMessage(listener: (message: GroupMessage) => void): void
}

/** What one worker replied to a request. */
export interface GroupReply {
  readonly value?: unknown
  /** Set if its handler failed. */
  readonly error?: string
}

/** Returns the message if it is one of the group; other messages of the processes are ignored. */
export function groupMessageOf(message: unknown): GroupMessage | undefined {
  if (typeof message !== 'object' || message === null || !('kind' in message)) return undefined
  const { kind } = message
  return kind === 'request' || kind === 'reply' || kind === 'alive' ? (message as GroupMessage) : undefined
}

/** A topic to which the supervisor replies itself: from then on the worker receives requests. */
export const joinTopic = 'join'

/** Runs the handler of a request and returns the reply. */
export async function replyTo(handle: () => unknown): Promise<GroupReply> {
  try {
    return { value: await handle() }
  } catch (cause) {
    return { error: cause instanceof Error ? cause.message : String(cause) }
  }
}
