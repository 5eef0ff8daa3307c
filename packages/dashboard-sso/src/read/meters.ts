/**
 * How far the counters of a key have come: looked at, never counted. Counters are found the way requests find them, by
 * the grant of the key on each API; APIs that share a counter share a meter.
 */
import {
  type ApiDefinition,
  type CounterStore,
  type GatewaySettings,
  type Grant,
  makeGrant,
  makePathPatterns,
} from '@turnpike/core'
import type { ShelvedKey } from './key-shelf.ts'

export interface Meter {
  readonly kind: 'rate' | 'quota'
  /** Ids of the APIs that count together. */
  readonly apis: readonly string[]
  readonly used: number
  readonly max: number
  /** Of the rate's window or the quota's period; 0: it never ends. */
  readonly seconds: number
  /** Unix ms; `undefined`: nothing is counted at the moment, or it never ends. */
  readonly endsAt: number | undefined
}

export type ReadMeters = (key: ShelvedKey, apis: readonly ApiDefinition[]) => Promise<readonly Meter[]>

/** No page shows more of one key. */
const most = 50

export function makeReadMeters(counters: CounterStore, settings: GatewaySettings): ReadMeters {
  const patterns = makePathPatterns(settings.routing)

  const readRate = async ({ name, limit }: NonNullable<Grant['rate']>, apis: readonly string[]): Promise<Meter> => {
    const { remaining, resetAt } = await counters.take(name, limit, 0)
    const used = Math.max(0, limit.rate - Math.max(0, remaining))
    return { kind: 'rate', apis, used, max: limit.rate, seconds: limit.per, endsAt: used > 0 ? resetAt : undefined }
  }

  const readQuota = async ({ name, limit }: NonNullable<Grant['quota']>, apis: readonly string[]): Promise<Meter> => {
    const state = await counters.readQuota(name)
    return {
      kind: 'quota',
      apis,
      // Refused requests are counted as well, but nothing is fuller than full.
      used: Math.min(state?.used ?? 0, limit.max),
      max: limit.max,
      seconds: Math.max(0, limit.renewalSeconds),
      endsAt: state?.renewsAt,
    }
  }

  return async ({ session, storedName }, apis) => {
    const rates = new Map<string, { readonly of: NonNullable<Grant['rate']>; readonly apis: string[] }>()
    const quotas = new Map<string, { readonly of: NonNullable<Grant['quota']>; readonly apis: string[] }>()
    for (const api of apis) {
      if (api.authModes.length === 0) continue
      const grant = makeGrant({ session, storedName, settings, patterns }, api)
      if (grant?.rate !== undefined) join(rates, grant.rate, api.id)
      if (grant?.quota !== undefined) join(quotas, grant.quota, api.id)
      if (rates.size + quotas.size >= most) break
    }
    return Promise.all([
      ...[...rates.values()].map((one) => readRate(one.of, one.apis)),
      ...[...quotas.values()].map((one) => readQuota(one.of, one.apis)),
    ])
  }
}

function join<T extends { readonly name: string }>(
  meters: Map<string, { readonly of: T; readonly apis: string[] }>,
  of: T,
  apiId: string,
): void {
  const known = meters.get(of.name)
  if (known === undefined) meters.set(of.name, { of, apis: [apiId] })
  else known.apis.push(apiId)
}
