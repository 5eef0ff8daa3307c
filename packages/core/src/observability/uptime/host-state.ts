/** Whether a host is up. The state changes after `samples` consecutive contrary results. */
export class HostState {
  /** Hosts are up until they are found to be down. */
  isDown = false
  private contrary = 0
  private readonly samples: number

  constructor(samples: number) {
    this.samples = Math.max(1, samples)
  }

  /** Records the result of a check; returns true if the state changed. */
  record(failed: boolean): boolean {
    if (failed === this.isDown) {
      this.contrary = 0
      return false
    }
    if (++this.contrary < this.samples) return false
    this.contrary = 0
    this.isDown = failed
    return true
  }
}
