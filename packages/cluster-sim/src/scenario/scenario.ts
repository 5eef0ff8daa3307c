/**
 * A scenario as data: what a cluster is, what is asked of it, what goes wrong and what must hold. From it and a seed
 * comes a plan (`plan-of-scenario.ts`). Written in YAML or JSON; `readScenario` tells what is wrong with it.
 */
import {
  boolean,
  integer,
  list,
  map,
  number,
  type Of,
  object,
  oneOf,
  optional,
  text,
  withDefault,
} from '@turnpike/core'
import { duration } from './duration.ts'

const allowance = object({
  rate: number,
  per: number,
  quotaMax: number,
  quotaRenewalRate: number,
})

const key = object({
  rate: number,
  per: number,
  quotaMax: number,
  quotaRenewalRate: number,
  /** Id of a policy of the scenario; its limits then stand for those of the key. */
  policy: text,
})

const load = object({
  /** Default: the first key. */
  key: text,
  /** Requests a second over all nodes, at drawn moments. */
  perSecond: number,
  /** So many at one instant, at `from`. */
  burst: integer,
  from: duration,
  /** Default: the end of the scenario. */
  to: optional(duration),
  /** Default: all. */
  nodes: list(text),
})

const fault = object({
  at: duration,
  /** How long it lasts; 0: to the end. */
  for: duration,
  /** Two of the nodes and `store`. */
  partition: list(text),
  crash: text,
  /** The store goes away. */
  storeDown: boolean,
  clock: text,
  by: duration,
  disk: text,
  takes: duration,
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
  /** Limits of policies from now on; on all disks, in force after a reload. */
  policies: map(allowance),
  /** A node, or `group`. */
  reload: text,
  /** Keys written on a node, by name. */
  keys: map(key),
  deleteKey: text,
  /** Where keys are written and group reloads are asked for. Default: the first node. */
  on: text,
})

/** What can be checked. */
export const scenarioChecks = ['bound', 'linearizable', 'reload', 'deleted-keys', 'convergence', 'answered'] as const
export type ScenarioCheck = (typeof scenarioChecks)[number]

/** What stands where the nodes keep things: the reference in memory, or a mocked Redis behind the adapter of each node. */
export const scenarioStores = ['memory', 'redis-mock'] as const
export type ScenarioStore = (typeof scenarioStores)[number]

export const scenarioShape = object({
  name: text,
  nodes: withDefault(integer, 3),
  duration: withDefault(duration, 30_000),
  /** Time at the end without load or random faults, in which the cluster may come to rest. */
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
  random: random,
  changes: list(change),
  /** Default: all that apply. */
  check: list(oneOf(scenarioChecks, 'bound')),
})

export type Scenario = Of<typeof scenarioShape>
export type ScenarioKey = Of<typeof key>
export type ScenarioFault = Of<typeof fault>
export type ScenarioChange = Of<typeof change>
export type ScenarioLoad = Of<typeof load>
