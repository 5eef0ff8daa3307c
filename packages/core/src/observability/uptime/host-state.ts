/** Whether a host is up, by its last checks: it takes so many equal ones in a row to change that. */
export class HostState {
  /** Hosts are up until they are found to be down. */
  isDown = false
  private contrary = 0
  private readonly samples: number

  constructor(samples: number) {
    this.samples = Math.max(1, samples)
  }

  /** Takes the result of a check; true: the host has just changed. */
  take(failed: boolean): boolean {
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
