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
  private readonly uploads = new Set<C>()
  private readonly others = new Set<C>()
  private runningUploads = 0

  /** `maxConnections`: connections to the origin. */
  constructor(maxConnections: number) {
    this.maxUploads = Math.max(1, Math.floor((maxConnections * 3) / 4))
  }

  /** Number of waiting calls that are not uploads. */
  get size(): number {
    return this.others.size
  }

  /** Whether the call must wait even if a connection is free. */
  isOverShare(call: C): boolean {
    return call.isUpload && this.runningUploads >= this.maxUploads
  }

  add(call: C): void {
    ;(call.isUpload ? this.uploads : this.others).add(call)
  }

  remove(call: C): void {
    ;(call.isUpload ? this.uploads : this.others).delete(call)
  }

  /** Removes and returns the call that gets the next connection. */
  next(): C | undefined {
    const calls = this.runningUploads < this.maxUploads && this.uploads.size > 0 ? this.uploads : this.others
    for (const call of calls) {
      calls.delete(call)
      return call
    }
    return undefined
  }

  /** Removes and returns all calls. */
  drain(): C[] {
    const calls = [...this.uploads, ...this.others]
    this.uploads.clear()
    this.others.clear()
    return calls
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
