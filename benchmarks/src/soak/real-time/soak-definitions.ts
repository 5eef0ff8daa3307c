/** The APIs and requests of the soak in real time. */
import { setTimeout as sleep } from 'node:timers/promises'
import { definition, keyed } from '../../subjects/definition.ts'
import { roomySession } from '../../subjects/roomy-session.ts'
import type { SoakedGateway } from '../soaked-gateway.ts'
import type { SteadyRequest } from './steady-clients.ts'

const key = 'soakkey'

/** `soak` proxies everything, `keyed` needs a key with rate and quota, `cached` caches for two seconds. */
export function soakDefinitions(upstream: string): object[] {
  return [
    definition('soak', upstream, { enable_batch_request_support: true }),
    definition('keyed', upstream, keyed),
    definition('cached', upstream, {
      cache_options: { enable_cache: true, cache_timeout: 2, cache_all_safe_requests: true },
    }),
  ]
}

const batch = JSON.stringify({
  requests: Array.from({ length: 5 }, (_, i) => ({ method: 'GET', relative_url: `items/${i}` })),
})

export const steadyRequests: readonly SteadyRequest[] = [
  { path: '/soak/items' },
  { path: '/keyed/items', headers: { authorization: key } },
  { path: '/cached/items' },
  { path: '/keyed/other', headers: { authorization: key } },
  { path: '/soak/slow' },
  { path: '/soak/svc/batch/', method: 'POST', body: batch, headers: { 'content-type': 'application/json' } },
]

/** The gateway probes Redis every 200 ms, so it accepts a key soon after a restart of Redis. */
const restoreMs = 5_000

/** Creates the key. Retries while the store is unavailable, and rejects if that takes too long. */
export async function makeSoakKey(gateway: SoakedGateway): Promise<void> {
  for (const began = performance.now(); ; ) {
    try {
      await gateway.manage('POST', `/svc/keys/${key}`, { ...roomySession('keyed'), org_id: '' })
      return
    } catch (cause) {
      if (performance.now() - began > restoreMs) throw cause
      await sleep(100)
    }
  }
}
