/** Records what a gateway has opened. `close` releases it in reverse order: dependents before their dependencies. */

type Close = (graceMs: number) => void | Promise<void>

export class Lifecycle {
  private readonly opened: Close[] = []
  private closing: Promise<void> | undefined

  /** Registers a release function. It receives the milliseconds that work in progress may still take. */
  onClose(close: Close): void {
    this.opened.push(close)
  }

  /**
   * Closes everything once; later calls return the same promise. If one release fails, the others still run, and the
   * promise then rejects with the first error.
   */
  close(graceMs: number): Promise<void> {
    this.closing ??= this.closeAll(graceMs)
    return this.closing
  }

  private async closeAll(graceMs: number): Promise<void> {
    const errors: unknown[] = []
    for (let close = this.opened.pop(); close !== undefined; close = this.opened.pop()) {
      try {
        await close(graceMs)
      } catch (cause) {
        errors.push(cause)
      }
    }
    if (errors.length > 0) throw errors[0]
  }
}
