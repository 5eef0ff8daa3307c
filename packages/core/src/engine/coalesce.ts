/**
 * Allows at most one run in progress and one waiting run. Calls during a run share the waiting run. So each caller's
 * promise settles with a run that began after its call, and n concurrent calls cause two runs, not n.
 */
export function coalesce<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  let waiting: Promise<T> | undefined

  const start = (): Promise<T> => {
    const mine = run().finally(() => {
      if (running === mine) running = undefined
    })
    running = mine
    return mine
  }

  return () => {
    if (running === undefined) return start()
    waiting ??= running
      .catch(() => undefined)
      .then(() => {
        waiting = undefined
        return start()
      })
    return waiting
  }
}
