/** A worker's side: requests to the supervisor and to all workers, and handlers of such requests. */
import { type GroupChannel, type GroupReply, joinTopic, replyTo } from './messages.ts'

export class GroupMember {
  private readonly channel: GroupChannel
  private readonly handlers = new Map<string, (payload: unknown) => unknown>()
  private readonly pending = new Map<number, { resolve(value: unknown): void; reject(cause: Error): void }>()
  private lastId = 0

  private constructor(channel: GroupChannel) {
    this.channel = channel
    channel.onMessage((message) => {
      if (message.kind === 'request') void this.respond(message.id, message.topic, message.payload)
      else if (message.kind === 'reply') this.settle(message.id, message)
    })
  }

  /**
   * Resolves when the supervisor knows this worker. What the worker reads before that could change without a signal, so
   * join before the first read.
   */
  static async join(channel: GroupChannel): Promise<GroupMember> {
    const member = new GroupMember(channel)
    await member.request(joinTopic, undefined)
    return member
  }

  /** Handles requests of this topic that any worker sends. */
  handle(topic: string, handler: (payload: unknown) => unknown): void {
    this.handlers.set(topic, handler)
  }

  /** Sends a request to the supervisor and resolves with its reply. */
  request(topic: string, payload: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.lastId += 1
      this.pending.set(this.lastId, { resolve, reject })
      this.channel.send({ kind: 'request', id: this.lastId, topic, payload })
    })
  }

  /**
   * Sends a request to all workers, this one included, and resolves with their values when each has replied or ended.
   * Rejects if a handler failed.
   */
  async requestAll(topic: string, payload?: unknown): Promise<unknown[]> {
    const replies = (await this.request(topic, payload)) as GroupReply[]
    const failed = replies.find(({ error }) => error !== undefined)
    if (failed !== undefined) throw new Error(failed.error)
    return replies.map(({ value }) => value)
  }

  /** Reports that the event loop of this worker runs. */
  beat(): void {
    this.channel.send({ kind: 'alive' })
  }

  private async respond(id: number, topic: string, payload: unknown): Promise<void> {
    const handler = this.handlers.get(topic)
    const reply = handler === undefined ? {} : await replyTo(() => handler(payload))
    this.channel.send({ kind: 'reply', id, ...reply })
  }

  private settle(id: number, { value, error }: GroupReply): void {
    const waiting = this.pending.get(id)
    this.pending.delete(id)
    if (error === undefined) waiting?.resolve(value)
    else waiting?.reject(new Error(error))
  }
}
