/** Reloads when files change. Listeners of `onReload` receive the result. */
import type { Log } from '@turnpike/core'
import type { Gateway } from '../gateway/gateway.ts'
import type { WiredSource } from '../gateway/wire-source.ts'

/** Returns a function that stops watching. */
export function watchSource(
  source: Pick<WiredSource, 'watch'>,
  gateway: Pick<Gateway, 'reload'>,
  log: Log,
): () => void {
  return source.watch(() => {
    gateway.reload().catch((cause: unknown) => log.error('the reload failed', { cause: String(cause) }))
  })
}
