/**
 * The upstream of a gateway. It selects an HTTP client per origin: `http1` for plain HTTP, `http2` for `h2c:` origins and
 * HTTP/2 over TLS, `undici` for TLS, proxies and upgrades. The last two are loaded on first use, because loading takes long.
 */
import { cancelBody } from '@turnpike/core/http'
import type { Upstream, UpstreamError, UpstreamLink, UpstreamOptions, UpstreamRequest } from '@turnpike/core/ports'
import { makeHttp1Upstream } from '../http1/http1-upstream.ts'
import { cancelledError } from '../shared/upstream-errors.ts'
import type { UndiciUpstreamOptions } from '../undici/undici-upstream.ts'

export interface AnyUpstreamOptions extends UndiciUpstreamOptions {
  /** `undici` uses undici for all origins, for comparison. Default: `auto`. */
  readonly client?: 'auto' | 'undici'
}

/** Makes the upstream of a gateway process. `close` aborts calls in flight. */
export function makeAnyUpstream(options: AnyUpstreamOptions): Upstream {
  const http1 = makeHttp1Upstream(options)
  let loading: Promise<Upstream> | undefined
  const loadUndici = () => {
    loading ??= import('../undici/undici-upstream.ts').then(({ makeUndiciUpstream }) => makeUndiciUpstream(options))
    return loading
  }
  let loadingHttp2: Promise<Upstream> | undefined
  const loadHttp2 = () => {
    loadingHttp2 ??= import('../http2/http2-upstream.ts').then(({ makeHttp2Upstream }) =>
      makeHttp2Upstream({
        clock: options.clock,
        ...(options.findPem === undefined ? {} : { findPem: options.findPem }),
        connectHttp1: (origin, linkOptions) => lazyLink(loadUndici, origin, linkOptions),
      }),
    )
    return loadingHttp2
  }

  return {
    connect(origin, linkOptions) {
      // Only undici checks addresses. URLs that need it are never h2c.
      const isHttp2 = origin.startsWith('h2c:') || linkOptions.http2 === true
      if (isHttp2 && linkOptions.publicOnly !== true) return lazyLink(loadHttp2, origin, linkOptions)
      if (options.client === 'undici' || !isPlain(origin, linkOptions)) {
        const link = lazyLink(loadUndici, origin, linkOptions)
        void loadUndici()
        return link
      }
      return new PlainLink(http1.connect(origin, linkOptions), lazyLink(loadUndici, origin, linkOptions))
    },
    // Only these clients use certificates, and they have no connections before they are loaded.
    forgetCertificate(name) {
      void loading?.then((undici) => undici.forgetCertificate?.(name))
      void loadingHttp2?.then((http2) => http2.forgetCertificate?.(name))
    },
    async close() {
      await Promise.all([
        http1.close(),
        loading?.then((undici) => undici.close()),
        loadingHttp2?.then((http2) => http2.close()),
      ])
    },
  } satisfies Upstream
}

// A class, because each API has a link, and with thousands of APIs every additional object causes cache misses.
class PlainLink implements UpstreamLink {
  private readonly link: UpstreamLink
  private readonly forUpgrades: UpstreamLink

  constructor(link: UpstreamLink, forUpgrades: UpstreamLink) {
    this.link = link
    this.forUpgrades = forUpgrades
  }

  send(request: UpstreamRequest) {
    return request.upgrade === undefined ? this.link.send(request) : this.forUpgrades.send(request)
  }

  release(): void {
    this.link.release()
    this.forUpgrades.release()
  }
}

function isPlain(origin: string, { proxyUrl, tls, publicOnly = false }: UpstreamOptions): boolean {
  return origin.startsWith('http:') && proxyUrl === undefined && tls === undefined && !publicOnly
}

/** A link of an adapter that may not be loaded yet. It connects at the first request. */
function lazyLink(load: () => Promise<Upstream>, origin: string, linkOptions: UpstreamOptions): UpstreamLink {
  let link: UpstreamLink | undefined
  let released = false

  async function loadAndSend(request: UpstreamRequest) {
    // The client can disconnect before the adapter is loaded.
    let cancelled = false
    let cancel: (() => void) | undefined
    request.onStart?.(() => {
      cancelled = true
      cancel?.()
    })
    const upstream = await load()
    if (cancelled) return cancelledCall(request)
    if (link === undefined) {
      link = upstream.connect(origin, linkOptions)
      if (released) link.release()
    }
    return link.send({
      ...request,
      onStart(give) {
        cancel = give
      },
    })
  }

  return {
    send: (request) => (link === undefined ? loadAndSend(request) : link.send(request)),
    release() {
      released = true
      link?.release()
    },
  }
}

function cancelledCall({ body }: UpstreamRequest): UpstreamError {
  cancelBody(body)
  return cancelledError(undefined)
}
