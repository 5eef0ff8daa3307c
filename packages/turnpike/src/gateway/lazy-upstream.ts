/**
 * Loads the upstream HTTP client when the first definitions are read. It is the slowest module to load at the start,
 * and health probes must not wait for it.
 */

import type { Upstream } from '@turnpike/core/ports'
import type { AnyUpstreamOptions } from '@turnpike/upstream/any'

export interface LazyUpstream extends Upstream {
  /** Loads the client. Must resolve before the first `connect`. */
  ready(): Promise<void>
}

export function makeLazyUpstream(options: AnyUpstreamOptions): LazyUpstream {
  let loading: Promise<void> | undefined
  let loaded: Upstream | undefined
  return {
    ready() {
      loading ??= import('@turnpike/upstream/any').then(({ makeAnyUpstream }) => {
        loaded = makeAnyUpstream(options)
      })
      return loading
    },
    connect(origin, options) {
      if (loaded === undefined) throw new Error('the upstream client is not loaded yet')
      return loaded.connect(origin, options)
    },
    forgetCertificate(name) {
      loaded?.forgetCertificate?.(name)
    },
    async close() {
      await loading
      await loaded?.close()
    },
  }
}
