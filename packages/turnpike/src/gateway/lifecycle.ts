/** What a gateway has opened, so that `close` releases it in reverse order: each part before what it is built on. */

type Close = (graceMs: number) => void | Promise<void>

export class Lifecycle {
  private readonly opened: Close[] = []
  private closing: Promise<void> | undefined

  /** Call this where something is opened. `close` gets the ms that work in progress may still take. */
  onClose(close: Close): void {
    this.opened.push(close)
  }

  /**
   * Closes everything once; later calls return the same promise. A part that fails to close does not keep the others
   * open: the promise then rejects with the first error, after all are done.
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
