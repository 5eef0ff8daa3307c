/**
 * Targets of APIs from a discovery service, cached per API (docs/reference/service-discovery.md#discovery-cache).
 *
 * The first request queries the service. After the entry expires, one request queries it again while others use the
 * last valid list. Failures are not cached.
 */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import type { Maybe } from '../../lib/maybe.ts'
import type { Clock, Millis } from '../../ports/clock.ts'
import type { Fetch } from '../../ports/fetch.ts'
import type { Log } from '../../ports/log.ts'
import { type Discovered, makeReadTargets } from './read-targets.ts'

export interface DiscoveryOptions {
  readonly fetch: Pick<Fetch, 'get'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  /** Lifetime of lists whose definition sets none, in ms. Default: 120,000. */
  readonly lifetimeMs?: Millis
}

export interface TargetLookup {
  /** Returns without a promise if the list is cached. Never rejects. */
  find(): Maybe<Discovered>
}

export interface DiscoveryLease {
  readonly lookup: TargetLookup
  /** Ends the lease; the last release evicts the cached list. */
  release(): void
}

export interface Discovery {
  /**
   * Leases the lookup of an API, when it is compiled; `undefined` if the API does not use service discovery. All versions
   * of an API share one lookup, also across reloads that do not change the definition.
   */
  lease(api: ApiDefinition): DiscoveryLease | undefined
  /** Expires the cached list of an API, after signs that its targets have changed. */
  forget(apiId: string): void
}

const defaultLifetimeMs = 120_000
/** Time limit for a response of the service, redirects included. */
const timeoutMs = 30_000

interface Share {
  readonly apiId: string
  readonly lookup: CachedLookup
  users: number
}

export function makeDiscovery(options: DiscoveryOptions): Discovery {
  const shares = new Map<string, Share>()
  return {
    lease(api) {
      if (!api.document.proxy.serviceDiscovery.useDiscoveryService) return undefined
      const name = JSON.stringify([api.id, api.hash])
      const share = shares.get(name) ?? { apiId: api.id, lookup: new CachedLookup(api, options), users: 0 }
      shares.set(name, share)
      share.users++
      let released = false
      return {
        lookup: share.lookup,
        release() {
          if (released) return
          released = true
          if (--share.users === 0) shares.delete(name)
        },
      }
    },
    forget(apiId) {
      for (const share of shares.values()) if (share.apiId === apiId) share.lookup.expire()
    },
  }
}

class CachedLookup implements TargetLookup {
  private readonly api: ApiDefinition
  private readonly options: DiscoveryOptions
  private readonly lifetimeMs: Millis
  private readonly read: (body: Uint8Array) => Discovered
  /** The last list that was not empty. */
  private lastList: Discovered | undefined = undefined
  private expiresAt: Millis = Number.NEGATIVE_INFINITY
  private pending: Promise<Discovered> | undefined = undefined
  private failing = false

  constructor(api: ApiDefinition, options: DiscoveryOptions) {
    const { serviceDiscovery } = api.document.proxy
    const { cacheDisabled, cacheTimeout } = serviceDiscovery
    this.api = api
    this.options = options
    this.lifetimeMs =
      cacheDisabled || cacheTimeout <= 0 ? (options.lifetimeMs ?? defaultLifetimeMs) : cacheTimeout * 1000
    this.read = makeReadTargets(serviceDiscovery, schemeOf(api))
  }

  find(): Maybe<Discovered> {
    const { lastList, pending } = this
    if (lastList !== undefined && (pending !== undefined || this.options.clock.now() < this.expiresAt)) return lastList
    this.pending ??= this.query().finally(() => {
      this.pending = undefined
    })
    return this.pending
  }

  expire(): void {
    this.expiresAt = Number.NEGATIVE_INFINITY
  }

  private async query(): Promise<Discovered> {
    const { fetch, clock } = this.options
    let found: Discovered
    try {
      const { body } = await fetch.get(this.api.document.proxy.serviceDiscovery.queryEndpoint, { timeoutMs })
      found = this.read(body)
      this.report(found.kind === 'targets' ? undefined : 'the response contains no target')
    } catch (cause) {
      found = { kind: 'unavailable' }
      this.report(String(cause))
    }
    if (found.kind === 'none') return this.lastList ?? found
    if (found.kind !== 'targets') return found
    this.lastList = found
    this.expiresAt = clock.now() + this.lifetimeMs
    return found
  }

  /** Logs the first of several failures, since every request queries a failing service again. */
  private report(reason: string | undefined): void {
    const wasFailing = this.failing
    this.failing = reason !== undefined
    if (this.failing === wasFailing) return
    const { log } = this.options
    if (reason === undefined) log.info('service discovery works again', { api: this.api.id })
    else log.warn('service discovery returns no target', { api: this.api.id, reason })
  }
}

/** The scheme of targets without one: the protocol of the API. */
function schemeOf({ document, protocol }: ApiDefinition): string {
  return document.protocol.trim() === '' ? 'http' : protocol
}
