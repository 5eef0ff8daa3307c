/** The scenario that `turnpike sim` runs without a file: the limits of a gateway's keys, on a cluster with failures. */
import { type Environment, type LoadedConfig, type Seed, toSettings } from 'turnpike/embedding'
import { openSandbox } from '../verify/gateway-sandbox.ts'
import { type KeyPlan, keyPlans } from '../verify/key-plan.ts'
import { type KeyLimits, limitsOfKey } from '../verify/limits-of-key.ts'

/** Requests per second of all keys together; more would only make runs slower. */
const maxPerSecond = 60
/** More keys would have so few requests each that no limit is reached. */
const maxKeys = 6

export interface GatewayScenario {
  /** As a file of scenarios would have it. */
  readonly scenario: object
  /** Limits that are simulated, such as `policy "gold": 5 requests in 60 s`. */
  readonly lines: readonly string[]
}

interface SimulatedKey {
  readonly name: string
  readonly rate?: number
  readonly per?: number
  readonly quota_max?: number
  readonly quota_renewal_rate?: number
}

/** Returns `undefined` if no key of the files has a limit. Rejects if the configuration is invalid. */
export async function scenarioOfGateway(
  loaded: LoadedConfig,
  environment: Environment,
  seed: Seed | undefined,
): Promise<GatewayScenario | undefined> {
  const sandbox = await openSandbox({ loaded, environment, seed, around: undefined })
  let plans: KeyPlan[]
  try {
    plans = keyPlans(sandbox.engine.policies(), seed)
  } finally {
    await sandbox.close()
  }
  const limited = plans.flatMap((plan) => keysOf(plan.words, [...limitsOfKey(plan).values()])).slice(0, maxKeys)
  if (limited.length === 0) return undefined
  return { scenario: makeScenario(limited, toSettings(loaded.config).limits.algorithm), lines: limited.map(describe) }
}

/** APIs of one scope share their counters, so they are one key of the scenario. */
function keysOf(words: string, limits: readonly KeyLimits[]): SimulatedKey[] {
  const byScope = new Map(limits.map((one) => [one.scope, one]))
  return [...byScope.values()].flatMap(({ apiId, rate, quota }): SimulatedKey[] => {
    if (rate === undefined && quota === undefined) return []
    return [
      {
        name: byScope.size === 1 ? words : `${words} on "${apiId}"`,
        ...(rate === undefined ? {} : { rate: rate.count, per: rate.seconds }),
        ...(quota === undefined ? {} : { quota_max: quota.count, quota_renewal_rate: quota.seconds }),
      },
    ]
  })
}

/** Each key sends twice what its rate admits, with one burst, while the network is cut and a node crashes. */
function makeScenario(keys: readonly SimulatedKey[], limiter: string): object {
  const share = maxPerSecond / keys.length
  return {
    name: 'the keys of this gateway',
    nodes: 3,
    limiter,
    network: { delay: ['1ms', '20ms'], loss: 0.01, doubling: 0.05, reordering: true },
    keys: Object.fromEntries(keys.map(({ name, ...limits }) => [name, limits])),
    load: keys.flatMap(({ name, rate, per }) => {
      const perSecond = rate === undefined || per === undefined ? 1 : (2 * rate) / per
      return [
        { key: name, per_second: Math.min(Math.max(perSecond, 0.2), share) },
        { key: name, burst: Math.min(2 * (rate ?? 5), 100), from: '5s' },
      ]
    }),
    random: { partitions: 1, crashes: 1, store_outages: 1, clock_steps: 1, slow_disks: 1 },
    changes: [{ at: '12s', reload: 'group' }],
  }
}

function describe({ name, rate, per, quota_max: quota, quota_renewal_rate: renewal }: SimulatedKey): string {
  const limits = [
    ...(rate === undefined ? [] : [`${rate} requests in ${per} s`]),
    ...(quota === undefined ? [] : [`quota ${quota}${renewal === 0 ? '' : ` in ${renewal} s`}`]),
  ]
  return `${name}: ${limits.join(', ')}`
}
