/** The place where the dashboard attaches to watch requests in detail. Without a watcher no request is traced. */
import type { RequestWatcher } from '@turnpike/core/pipeline'
import { nowMicros } from './now-micros.ts'

export interface RequestWatch {
  readonly watcher: RequestWatcher
  /** Replaces the attached watcher. Returns a function that detaches it. */
  attach(watcher: Pick<RequestWatcher, 'wants' | 'watched'>): () => void
}

export function makeRequestWatch(): RequestWatch {
  let attached: Pick<RequestWatcher, 'wants' | 'watched'> | undefined
  return {
    watcher: {
      nowMicros,
      wants: () => attached?.wants() ?? false,
      watched: (entry, details) => attached?.watched(entry, details),
    },
    attach(watcher) {
      attached = watcher
      return () => {
        if (attached === watcher) attached = undefined
      }
    },
  }
}
