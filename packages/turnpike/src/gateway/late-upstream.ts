/**
 * The HTTP client towards upstreams, loaded when the first definitions are: loading it takes longer than anything
 * else at a start, and probes need not wait for it.
 */
import type { Upstream } from '@turnpike/core'

export interface LateUpstream extends Upstream {
  /** To be awaited before the first `connect`. */
  ready(): Promise<void>
}

/** `findPem`: text of the certificate or key that a definition names by id or file. */
export function lateUpstream(findPem: (name: string) => Promise<string | undefined>): LateUpstream {
  let loading: Promise<void> | undefined
  let loaded: Upstream | undefined
  return {
    ready() {
      loading ??= import('@turnpike/adapters/upstream-undici').then(({ makeUndiciUpstream }) => {
        loaded = makeUndiciUpstream({ findPem })
      })
      return loading
    },
    connect(origin, options) {
      if (loaded === undefined) throw new Error('the upstream client is not loaded yet')
      return loaded.connect(origin, options)
    },
    async close() {
      await loading
      await loaded?.close()
    },
  }
}
