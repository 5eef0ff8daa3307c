/**
 * Loads the upstream HTTP client when the first definitions are read. It is the slowest module to load at the start,
 * and health probes must not wait for it.
 */
import type { Upstream } from '@turnpike/core'

export interface LazyUpstream extends Upstream {
  /** Loads the client. Must resolve before the first `connect`. */
  ready(): Promise<void>
}

export interface LazyUpstreamOptions {
  /** Returns the PEM text of a certificate or key, by id or file path. */
  readonly findPem: (name: string) => Promise<string | undefined>
  /** The client for plain HTTP upstreams. */
  readonly client: 'auto' | 'undici'
}

export function makeLazyUpstream(options: LazyUpstreamOptions): LazyUpstream {
  let loading: Promise<void> | undefined
  let loaded: Upstream | undefined
  return {
    ready() {
      loading ??= import('@turnpike/adapters/any-upstream').then(({ makeAnyUpstream }) => {
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
