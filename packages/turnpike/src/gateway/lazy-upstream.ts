/**
 * The HTTP client towards upstreams, loaded when the first definitions are: loading it takes longer than anything
 * else at a start, and probes need not wait for it.
 */
import type { Upstream } from '@turnpike/core'

export interface LazyUpstream extends Upstream {
  /** To be awaited before the first `connect`. */
  ready(): Promise<void>
}

export interface LazyUpstreamOptions {
  /** Text of the certificate or key that a definition names by id or file. */
  readonly findPem: (name: string) => Promise<string | undefined>
  /** Which HTTP client plain upstreams are asked with. */
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
