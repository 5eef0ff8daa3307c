/**
 * The upstream of a gateway: for each origin the client that suits it. Plain HTTP goes over our own; TLS, proxies and
 * changes of protocol over undici's, which is loaded when the first of them is wanted, since that takes a while.
 */
import type { Upstream, UpstreamFault, UpstreamLink, UpstreamOptions, UpstreamRequest } from '@turnpike/core'
import { cancelledFault } from '../upstream-common/faults.ts'
import type { UndiciUpstreamOptions } from '../upstream-undici/upstream-undici.ts'
import { makeHttp1Upstream } from './upstream-http1.ts'

export interface AnyUpstreamOptions extends UndiciUpstreamOptions {
  /** `undici`: its client for everything, to compare with; `auto` by default. */
  readonly client?: 'auto' | 'undici'
}

/** Makes the upstream of a gateway process. `close` cuts calls that are still under way. */
export function makeAnyUpstream(options: AnyUpstreamOptions = {}): Upstream {
  const lean = makeHttp1Upstream(options)
  let loading: Promise<Upstream> | undefined
  const loadRich = () => {
    loading ??= import('../upstream-undici/upstream-undici.ts').then(({ makeUndiciUpstream }) =>
      makeUndiciUpstream(options),
    )
    return loading
  }

  return {
    connect(origin, way) {
      if (options.client === 'undici' || !isPlain(origin, way)) {
        const link = lateLink(loadRich, origin, way)
        void loadRich()
        return link
      }
      return new PlainLink(lean.connect(origin, way), lateLink(loadRich, origin, way))
    },
    // Our own client opens no connection with a certificate; nor does the other before it is loaded.
    forgetCertificate(name) {
      void loading?.then((rich) => rich.forgetCertificate?.(name))
    },
    async close() {
      await Promise.all([lean.close(), loading?.then((rich) => rich.close())])
    },
  } satisfies Upstream
}

// A class: each API has one, and of thousands of APIs every object on a request's way is cold.
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

function isPlain(origin: string, { proxyUrl, tls }: UpstreamOptions): boolean {
  return origin.startsWith('http:') && proxyUrl === undefined && tls === undefined
}

/** A link of an adapter that may not be loaded yet; it is connected with the first request. */
function lateLink(load: () => Promise<Upstream>, origin: string, way: UpstreamOptions): UpstreamLink {
  let link: UpstreamLink | undefined
  let released = false

  async function sendLate(request: UpstreamRequest) {
    // The client may go away before there is anybody to tell.
    let cancelled = false
    let cancel: (() => void) | undefined
    request.onStart?.(() => {
      cancelled = true
      cancel?.()
    })
    const upstream = await load()
    if (cancelled) return giveUp(request)
    if (link === undefined) {
      link = upstream.connect(origin, way)
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
    send: (request) => (link === undefined ? sendLate(request) : link.send(request)),
    release() {
      released = true
      link?.release()
    },
  }
}

function giveUp({ body }: UpstreamRequest): UpstreamFault {
  if (body !== undefined && !(body instanceof Uint8Array)) body.cancel()
  return cancelledFault(undefined)
}
