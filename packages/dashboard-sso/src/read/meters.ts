/**
 * The counters of a key. Reading them counts nothing. They are found as requests find them, by the access of the key to
 * each API. APIs that share a counter share a meter.
 */
import type { ApiDefinition } from '@turnpike/core/definition'
import type { Counter, CounterStore, GatewaySettings, QuotaLimit, RateLimit } from '@turnpike/core/ports'
import { compileApiAccess, counterOf, makePathPatterns } from '@turnpike/core/session'
import type { ListedKey } from './key-list-cache.ts'

export interface Meter {
  readonly kind: 'rate' | 'quota'
  /** Ids of the APIs that count together. */
  readonly apis: readonly string[]
  readonly used: number
  readonly max: number
  /** Length of the rate's window or the quota's period; 0: it never ends. */
  readonly seconds: number
  /** Unix ms; `undefined`: nothing is counted at the moment, or it never ends. */
  readonly endsAt: number | undefined
}

export type ReadMeters = (key: ListedKey, apis: readonly ApiDefinition[]) => Promise<readonly Meter[]>

/** No page shows more of one key. */
const most = 50

export function makeReadMeters(counters: CounterStore, settings: GatewaySettings): ReadMeters {
  const patterns = makePathPatterns(settings.routing)

  const readRate = async (counter: Counter, limit: RateLimit, apis: readonly string[]): Promise<Meter> => {
    const { rate } = await counters.consume({ ...counter, quota: undefined }, 0)
    const used = Math.max(0, limit.rate - Math.max(0, rate?.remaining ?? 0))
    const endsAt = used > 0 ? rate?.resetAt : undefined
    return { kind: 'rate', apis, used, max: limit.rate, seconds: limit.per, endsAt }
  }

  const readQuota = async (counter: Counter, limit: QuotaLimit, apis: readonly string[]): Promise<Meter> => {
    const state = await counters.readQuota(counter)
    return {
      kind: 'quota',
      apis,
      // Rejected requests are counted as well, so the counter can exceed the limit.
      used: Math.min(state?.used ?? 0, limit.max),
      max: limit.max,
      seconds: Math.max(0, limit.renewalSeconds),
      endsAt: state?.renewsAt,
    }
  }

  return async ({ session, storedName }, apis) => {
    const rates = new Map<string, Shared>()
    const quotas = new Map<string, Shared>()
    for (const api of apis) {
      if (api.authModes.length === 0) continue
      const access = compileApiAccess({ session, settings, patterns }, api)
      if (access === undefined) continue
      const counter = counterOf(access, storedName, session.lastUpdated)
      if (counter.rate !== undefined) join(rates, counter, api.id)
      if (counter.quota !== undefined) join(quotas, counter, api.id)
      if (rates.size + quotas.size >= most) break
    }
    return Promise.all([
      ...[...rates.values()].flatMap(({ counter, apis: shared }) =>
        counter.rate === undefined ? [] : [readRate(counter, counter.rate, shared)],
      ),
      ...[...quotas.values()].flatMap(({ counter, apis: shared }) =>
        counter.quota === undefined ? [] : [readQuota(counter, counter.quota, shared)],
      ),
    ])
  }
}

/** A counter and the APIs that share it. */
interface Shared {
  readonly counter: Counter
  readonly apis: string[]
}

function join(meters: Map<string, Shared>, counter: Counter, apiId: string): void {
  const known = meters.get(counter.id)
  if (known === undefined) meters.set(counter.id, { counter, apis: [apiId] })
  else known.apis.push(apiId)
}
