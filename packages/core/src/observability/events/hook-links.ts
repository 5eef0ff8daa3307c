/**
 * Upstream links to the servers of web hooks. A link is released 60 s after its last use, so that consecutive events
 * share connections and links of removed hooks do not stay open.
 */
import type { Cancel, Clock } from '../../ports/clock.ts'
import type { Upstream, UpstreamLink, UpstreamOptions } from '../../ports/upstream.ts'

export interface HookLinks {
  /** Runs `step` with a link to the origin. */
  use<T>(origin: string, step: (link: UpstreamLink) => Promise<T>): Promise<T>
  close(): void
}

interface OpenLink {
  readonly link: UpstreamLink
  users: number
  cancelClosing: Cancel | undefined
}

const idleMs = 60_000

export function makeHookLinks(upstream: Upstream, clock: Pick<Clock, 'after'>, options: UpstreamOptions): HookLinks {
  const open = new Map<string, OpenLink>()
  const drop = (origin: string) => {
    open.get(origin)?.link.release()
    open.delete(origin)
  }
  return {
    async use(origin, step) {
      let entry = open.get(origin)
      if (entry === undefined) {
        entry = { link: upstream.connect(origin, options), users: 0, cancelClosing: undefined }
        open.set(origin, entry)
      }
      const used = entry
      used.cancelClosing?.()
      used.users++
      try {
        return await step(used.link)
      } finally {
        if (--used.users === 0) used.cancelClosing = clock.after(idleMs, () => drop(origin))
      }
    },
    close() {
      for (const { link, cancelClosing } of open.values()) {
        cancelClosing?.()
        link.release()
      }
      open.clear()
    },
  }
}
