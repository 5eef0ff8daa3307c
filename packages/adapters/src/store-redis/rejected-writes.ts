/**
 * Tracks whether Redis rejects writes, because of its memory limit (`maxmemory`), its disk, or missing replicas. Reads work
 * then, so the connection stays in use. The first rejected write begins the outage. It ends when a health check has written
 * and no write was rejected since the check before.
 */
import type { Log } from '@turnpike/core/ports'

const rejectsWrites = /\b(?:OOM|MISCONF|NOREPLICAS)\b/

export class RejectedWrites {
  outages = 0
  isOutage = false
  private rejectedSinceCheck = false
  private readonly log: Log

  constructor(log: Log) {
    this.log = log
  }

  /** `reason`: the error of a command. */
  failed(reason: string): void {
    if (!rejectsWrites.test(reason)) return
    this.rejectedSinceCheck = true
    if (this.isOutage) return
    this.isOutage = true
    this.outages++
    this.log.error('Redis rejects writes', { reason })
  }

  /** A health check has written. */
  written(): void {
    if (this.isOutage && !this.rejectedSinceCheck) {
      this.isOutage = false
      this.log.warn('Redis accepts writes again', {})
    }
    this.rejectedSinceCheck = false
  }
}
