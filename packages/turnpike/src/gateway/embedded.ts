/** Serves requests of a server that the program owns: `gateway.fetch` and `gateway.nodeHandler`. */

import type { EmbeddedHandler } from '@turnpike/adapters/embedded-handler'
import type { EmbeddedFetch } from '@turnpike/adapters/fetch-handler'
import { isPromise } from '@turnpike/core/lib'
import type { Handle, Log } from '@turnpike/core/ports'
import type { GatewayConfig } from '../config/config-shape.ts'
import type { Gateway } from './gateway.ts'
import { frontEndOptions } from './wire-front-end.ts'

export interface Embedded extends Pick<Gateway, 'fetch' | 'nodeHandler' | 'nodeUpgradeHandler'> {
  /** Further requests get a 503. Waits up to `graceMs` for requests in flight. */
  close(graceMs: number): Promise<void>
}

/** The adapters are loaded at the first request. `handle` serves the gateway's port. */
export function makeEmbedded(handle: Handle, config: GatewayConfig, log: Log): Embedded {
  const options = frontEndOptions(config, log)
  const closing: ((graceMs: number) => Promise<void>)[] = []
  let closed = false
  const opened = <T extends EmbeddedFetch | EmbeddedHandler>(handler: T): T => {
    if (closed) void handler.close(0)
    closing.push((graceMs) => handler.close(graceMs))
    return handler
  }
  const web = onDemand(async () => {
    const { makeEmbeddedFetch } = await import('@turnpike/adapters/fetch-handler')
    return opened(makeEmbeddedFetch(handle, { ...options, log }))
  })
  const node = onDemand(async () => {
    const { makeEmbeddedHandler } = await import('@turnpike/adapters/embedded-handler')
    return opened(makeEmbeddedHandler(handle, options))
  })
  return {
    fetch: async (request, client) => (await web()).fetch(request, client),
    nodeHandler(req, res) {
      const handler = node()
      if (isPromise(handler))
        handler.then(
          (it) => it.request(req, res),
          (cause) => res.destroy(cause),
        )
      else handler.request(req, res)
    },
    nodeUpgradeHandler(req, socket, head) {
      const handler = node()
      if (isPromise(handler))
        handler.then(
          (it) => it.upgrade(req, socket, head),
          (cause) => socket.destroy(cause),
        )
      else handler.upgrade(req, socket, head)
    },
    async close(graceMs) {
      closed = true
      await Promise.all(closing.map((close) => close(graceMs)))
    },
  }
}

/** Loads at the first call. Later calls return the value itself, so that they stay synchronous. */
function onDemand<T>(load: () => Promise<T>): () => T | Promise<T> {
  let loading: Promise<T> | undefined
  let loaded: { readonly value: T } | undefined
  return () => {
    if (loaded !== undefined) return loaded.value
    loading ??= load().then((value) => {
      loaded = { value }
      return value
    })
    return loading
  }
}
