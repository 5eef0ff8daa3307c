/** A whole gateway on virtual time. It can crash between any two timers, and starts again with what the store has. */
import { makeNodeClock } from '@turnpike/cluster-sim'

import { makeSequentialIds, type VirtualClock } from '@turnpike/testkit'
import { createGateway, type Gateway, type Store } from 'turnpike'
import { definition, keyed } from '../../subjects/definition.ts'
import type { VirtualUpstream } from './virtual-upstream.ts'

export const secret = 'soak-secret'
export const orgId = 'soak'
export const cacheSeconds = 60
export const tokenSeconds = 300

export interface SoakedNode {
  gateway(): Gateway
  /** The definitions of the next reload carry this number in a header rule. */
  setVersion(version: number): void
  start(): Promise<void>
  /** Stops all timers of the node. Requests in progress never end. */
  crash(): void
}

export interface SoakedNodeServices {
  readonly clock: VirtualClock
  readonly store: Store
  readonly upstream: VirtualUpstream
}

export function makeSoakedNode({ clock, store, upstream }: SoakedNodeServices): SoakedNode {
  let version = 1
  let starts = 0
  let life: { readonly gateway: Gateway; readonly stop: () => void } | undefined
  return {
    gateway() {
      if (life === undefined) throw new Error('the node is down')
      return life.gateway
    },
    setVersion(next) {
      version = next
    },
    async start() {
      starts += 1
      const nodeClock = makeNodeClock(clock, 0)
      const gateway = await createGateway({
        ...{ clock: nodeClock, store, upstream, log: 'silent' },
        ids: makeSequentialIds(starts * 1e9),
        passwords: { hash: async (text) => text, matches: async (text, hash) => text === hash },
        config: {
          secret,
          enable_redis_rolling_limiter: true,
          oauth_token_expire: tokenSeconds,
          oauth_token_expired_retain_period: 60,
        },
        definitions: () => definitionsOf(version),
        policies: {
          member: { org_id: orgId, active: true, rate: 0, per: 0, quota_max: -1, access_rights: rights('oauth') },
        },
      } as Parameters<typeof createGateway>[0])
      await gateway.reload()
      life = { gateway, stop: () => nodeClock.stop() }
    },
    crash() {
      life?.stop()
      life = undefined
    },
  }
}

export const rights = (...apis: string[]) =>
  Object.fromEntries(apis.map((id) => [id, { api_id: id, api_name: id, versions: ['Default'] }]))

/** An API for each feature; one more API has a new id with each version, so that APIs come and go. */
function definitionsOf(version: number): object[] {
  const target = 'http://upstream.test/'
  const versioned = {
    version_data: {
      not_versioned: true,
      versions: { Default: { name: 'Default', global_response_headers: { 'x-version': String(version) } } },
    },
  }
  return [
    definition('keyed', target, { org_id: orgId, ...keyed, ...versioned }),
    definition('plain', target, { org_id: orgId, enable_batch_request_support: true, ...versioned }),
    definition('cached', `${target}cached/`, {
      org_id: orgId,
      cache_options: { enable_cache: true, cache_timeout: cacheSeconds, cache_all_safe_requests: true },
    }),
    definition('oauth', target, {
      org_id: orgId,
      use_keyless: false,
      use_oauth2: true,
      oauth_meta: { allowed_access_types: ['client_credentials'], allowed_authorize_types: [] },
    }),
    definition(`extra-${version}`, target, { org_id: orgId }),
  ]
}
