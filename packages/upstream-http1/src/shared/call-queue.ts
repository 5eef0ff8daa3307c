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
  // Arrays: a Set that calls enter and leave all the time gets new tables, and V8 links each old table to the next one.
  // As soon as one of them is in the old generation, the requests of all later tables stay alive until a major collection.
  private readonly uploads: C[] = []
  private readonly others: C[] = []
  private runningUploads = 0

  /** `maxConnections`: connections to the origin. */
  constructor(maxConnections: number) {
    this.maxUploads = Math.max(1, Math.floor((maxConnections * 3) / 4))
  }

  /** Number of waiting calls that are not uploads. */
  get size(): number {
    return this.others.length
  }

  /** Whether the call must wait even if a connection is free. */
  isOverShare(call: C): boolean {
    return call.isUpload && this.runningUploads >= this.maxUploads
  }

  add(call: C): void {
    this.queueOf(call).push(call)
  }

  remove(call: C): void {
    const calls = this.queueOf(call)
    const at = calls.indexOf(call)
    if (at >= 0) calls.splice(at, 1)
  }

  /** Removes and returns the call that gets the next connection. */
  next(): C | undefined {
    const upload = this.runningUploads < this.maxUploads ? this.uploads.shift() : undefined
    return upload ?? this.others.shift()
  }

  /** Removes and returns all calls. */
  drain(): C[] {
    return [...this.uploads.splice(0), ...this.others.splice(0)]
  }

  /** An upload was sent over a connection. */
  uploadStarted(): void {
    this.runningUploads++
  }

  /** The call of an upload has ended. */
  uploadEnded(): void {
    this.runningUploads--
  }

  private queueOf(call: C): C[] {
    return call.isUpload ? this.uploads : this.others
  }
}
