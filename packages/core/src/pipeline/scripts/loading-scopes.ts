/** Scopes whose sources are still being read. A reload waits for them, so that the first request finds a warm worker. */
import type { Clock } from '../../ports/clock.ts'

/** Many APIs with scripts take longer to start; their first calls then wait for a worker. */
const maxWaitMs = 5000

export class LoadingScopes {
  private readonly loading = new Set<object>()
  private onIdle: (() => void) | undefined

  /** Returns the function to call when the sources have been read or the scope is closed. */
  begin(): () => void {
    const token = {}
    this.loading.add(token)
    return () => {
      if (this.loading.delete(token) && this.loading.size === 0) this.onIdle?.()
    }
  }

  /** Resolves when no scope is being read, at the latest after five seconds. */
  async settled(clock: Pick<Clock, 'after'>): Promise<void> {
    if (this.loading.size === 0) return
    await new Promise<void>((resolve) => {
      const cancel = clock.after(maxWaitMs, resolve)
      this.onIdle = () => {
        cancel()
        resolve()
      }
    })
  }
}
