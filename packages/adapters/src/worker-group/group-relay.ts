/** The supervisor's side: sends requests to all workers and collects their replies. */
import { type GroupMessage, type GroupReply, joinTopic, replyTo } from './messages.ts'

/** A worker, as the relay sees it. */
export interface RelayedWorker {
  /** Takes a message of the worker. */
  receive(message: GroupMessage): void
  /** Call when the worker has ended. Nothing waits for its replies from then on. */
  remove(): void
}

/** `worker` identifies the worker that sent the request. */
type RelayHandler = (payload: unknown, worker: object) => unknown

interface Member {
  readonly send: (message: GroupMessage) => void
  hasJoined: boolean
  /** Requests to this worker that wait for its reply. */
  readonly pending: Map<number, (reply: GroupReply | undefined) => void>
}

export class GroupRelay {
  private readonly members = new Set<Member>()
  private readonly handlers = new Map<string, RelayHandler>()
  private readonly endListeners: ((worker: object) => void)[] = []
  private lastId = 0

  /** Handles requests with this topic here instead of in the workers. */
  handle(topic: string, handler: RelayHandler): void {
    this.handlers.set(topic, handler)
  }

  /** Calls the listener when a worker has ended, with the object that handlers got for it. */
  onEnd(listener: (worker: object) => void): void {
    this.endListeners.push(listener)
  }

  add(send: (message: GroupMessage) => void): RelayedWorker {
    const member: Member = { send, hasJoined: false, pending: new Map() }
    this.members.add(member)
    return {
      receive: (message) => {
        if (message.kind === 'request') void this.respond(member, message)
        else if (message.kind === 'reply') settle(member, message.id, message)
      },
      remove: () => {
        this.members.delete(member)
        for (const id of [...member.pending.keys()]) settle(member, id, undefined)
        for (const listener of this.endListeners) listener(member)
      },
    }
  }

  /**
   * Sends a request to every worker that has joined. Resolves with their replies when each has replied or ended. A worker
   * without a handler of this topic has no reply.
   */
  async requestAll(topic: string, payload: unknown): Promise<GroupReply[]> {
    const joined = [...this.members].filter(({ hasJoined }) => hasJoined)
    const replies = await Promise.all(joined.map((member) => this.request(member, topic, payload)))
    return replies.filter((reply) => reply !== undefined)
  }

  private request(member: Member, topic: string, payload: unknown): Promise<GroupReply | undefined> {
    return new Promise((resolve) => {
      this.lastId += 1
      const id = this.lastId
      member.pending.set(id, resolve)
      member.send({ kind: 'request', id, topic, payload })
    })
  }

  private async respond(member: Member, { id, topic, payload }: GroupMessage & { kind: 'request' }): Promise<void> {
    if (topic === joinTopic) member.hasJoined = true
    const handler = this.handlers.get(topic)
    const reply = await replyTo(() => {
      if (topic === joinTopic) return true
      return handler === undefined ? this.requestAll(topic, payload) : handler(payload, member)
    })
    if (this.members.has(member)) member.send({ kind: 'reply', id, ...reply })
  }
}

function settle({ pending }: Member, id: number, reply: GroupReply | undefined): void {
  const resolve = pending.get(id)
  pending.delete(id)
  const isEmpty = reply?.value === undefined && reply?.error === undefined
  resolve?.(isEmpty ? undefined : { value: reply.value, ...(reply.error === undefined ? {} : { error: reply.error }) })
}
