/**
 * Calls that wait for a connection to an origin, first come, first served. Uploads, whose bodies still arrive from clients,
 * may use three quarters of the connections: clients that send slowly must not keep everyone else from the origin.
 */

export interface QueuedCall {
  /** The body of the request is a stream. */
  readonly isUpload: boolean
}

export class CallQueue<C extends QueuedCall> {
  private readonly maxUploads: number
  // An array, in order of arrival. A Set that calls enter and leave all the time gets new tables, and V8 links each old
  // table to the next one: once one is in the old generation, the requests of all later tables stay alive until a major
  // collection.
  private waiting: C[] = []
  /** Waiting calls that are not uploads. */
  private others = 0
  private runningUploads = 0

  /** `maxConnections`: connections to the origin. */
  constructor(maxConnections: number) {
    this.maxUploads = Math.max(1, Math.floor((maxConnections * 3) / 4))
  }

  /** Number of waiting calls that are not uploads. */
  get size(): number {
    return this.others
  }

  /** Whether the call must wait even if a connection is free. */
  isOverShare(call: C): boolean {
    return call.isUpload && this.runningUploads >= this.maxUploads
  }

  add(call: C): void {
    this.waiting.push(call)
    if (!call.isUpload) this.others++
  }

  remove(call: C): void {
    // The calls that give up are mostly the oldest ones, which this finds first.
    this.removeAt(this.waiting.indexOf(call))
  }

  /** Removes and returns the call that gets the next connection: the oldest that may have it. */
  next(): C | undefined {
    const mayUpload = this.runningUploads < this.maxUploads
    return this.removeAt(mayUpload ? 0 : this.waiting.findIndex((call) => !call.isUpload))
  }

  /** Removes and returns all calls. */
  drain(): C[] {
    const calls = this.waiting
    this.waiting = []
    this.others = 0
    return calls
  }

  private removeAt(index: number): C | undefined {
    const call = this.waiting[index]
    if (call === undefined) return undefined
    if (index === 0) this.waiting.shift()
    else this.waiting.splice(index, 1)
    if (!call.isUpload) this.others--
    return call
  }

  /** An upload was sent over a connection. */
  uploadStarted(): void {
    this.runningUploads++
  }

  /** The call of an upload has ended. */
  uploadEnded(): void {
    this.runningUploads--
  }
}
