/**
 * A scenario as data: the cluster, the load, the faults and the checks. With a seed, it gives a plan
 * (`plan-of-scenario.ts`). It is written in YAML or JSON; `readScenario` reports problems.
 */
import {
  boolean,
  integer,
  type JsonPath,
  list,
  map,
  number,
  type Of,
  object,
  oneOf,
  optional,
  type Problem,
  type Shape,
  text,
  withDefault,
  wrongType,
} from '@turnpike/core/lib'

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Parses to whole milliseconds. */
const duration: Shape<number> = {
  zero: () => 0,
  read(value: unknown, path: JsonPath, problems: Problem[]) {
    if (value === undefined || value === null) return 0
    const ms = typeof value === 'number' ? value : typeof value === 'string' ? parse(value) : Number.NaN
    if (Number.isFinite(ms)) return Math.round(ms)
    wrongType('a time: a number of milliseconds, or a text like 10s, 250ms or 2m', value, path, problems)
    return 0
  },
  write: (value) => value,
  isZero: (value) => value === 0,
  writeSparse: (value) => value,
  schema: { type: ['number', 'string'], description: 'Milliseconds, or a text like 10s, 250ms, 2m, 1h.' },
}

function parse(text: string): number {
  const [, sign = '', number, unit = ''] = /^(-?)(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text.trim()) ?? []
  return number === undefined ? Number.NaN : (sign === '-' ? -1 : 1) * Number(number) * (unitMs[unit] ?? 1)
}

const limits = { rate: number, per: number, quotaMax: number, quotaRenewalRate: number }

const allowance = object(limits)

const key = object({
  ...limits,
  /** Id of a policy of the scenario; its limits then replace those of the key. */
  policy: text,
})

const load = object({
  /** Default: the first key. */
  key: text,
  /** Requests per second over all nodes, at random times. */
  perSecond: number,
  /** Number of requests at one instant, at `from`. */
  burst: integer,
  from: duration,
  /** Default: the end of the scenario. */
  to: optional(duration),
  /** Default: all. */
  nodes: list(text),
})

const fault = object({
  at: duration,
  /** Duration of the fault; 0: until the end. */
  for: duration,
  /** Two of the nodes and `store`. */
  partition: list(text),
  crash: text,
  /** The store is unavailable. */
  storeDown: boolean,
  clock: text,
  by: duration,
  disk: text,
  takes: duration,
  /** The store fails for `for`; its replica, which lacks the last `lag`, replaces it. */
  failover: boolean,
  lag: duration,
  /** A node that restarts in an orderly way: clients leave it for `drain`, then it is down for `for`. */
  restart: text,
  drain: duration,
})

const random = object({
  partitions: integer,
  crashes: integer,
  storeOutages: integer,
  clockSteps: integer,
  slowDisks: integer,
})

const change = object({
  at: duration,
  /** New limits of policies: written to all disks, in force after a reload. */
  policies: map(allowance),
  /** A node, or `group`. */
  reload: text,
  /** Keys written on a node, by name. */
  keys: map(key),
  deleteKey: text,
  /** The node on which keys are written and group reloads are requested. Default: the first node. */
  on: text,
})

/** The names of the checks. */
export const scenarioChecks = [
  'bound',
  'linearizable',
  'reload',
  'deleted-keys',
  'convergence',
  'answered',
  'available',
  'recovery',
] as const
export type ScenarioCheck = (typeof scenarioChecks)[number]

/** The checks of a scenario that names none. `available` and `recovery` do not hold for every fault. */
export const defaultChecks: readonly ScenarioCheck[] = scenarioChecks.slice(0, 6)

/** The store of the nodes: the reference store in memory, or a mocked Redis behind the adapter of each node. */
export const scenarioStores = ['memory', 'redis-mock'] as const
export type ScenarioStore = (typeof scenarioStores)[number]

export const scenarioShape = object({
  name: text,
  /** What one sees when it runs. */
  about: text,
  nodes: withDefault(integer, 3),
  duration: withDefault(duration, 30_000),
  /** Time at the end without load or random faults, in which the cluster may converge. */
  quiet: withDefault(duration, 25_000),
  limiter: oneOf(['rolling', 'fixed', 'sentinel', 'local'], 'rolling'),
  store: oneOf(scenarioStores, 'memory'),
  storeDeadline: withDefault(duration, 500),
  network: object({
    delay: list(duration),
    loss: number,
    doubling: number,
    reordering: boolean,
  }),
  keys: map(key),
  policies: map(allowance),
  load: list(load),
  faults: list(fault),
  random,
  changes: list(change),
  /** Default: `defaultChecks`. */
  check: list(oneOf(scenarioChecks, 'bound')),
})

export type Scenario = Of<typeof scenarioShape>
export type ScenarioKey = Of<typeof key>
export type ScenarioFault = Of<typeof fault>
export type ScenarioChange = Of<typeof change>
export type ScenarioLoad = Of<typeof load>
