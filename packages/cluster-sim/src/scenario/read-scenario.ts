/** Reads a scenario from data and reports every problem with its path and a suggested fix. */
import { type JsonPath, type Problem, printJsonPath, readShape } from '@turnpike/core/lib'
import { nodeNames, storePlace } from '../run/plan.ts'
import { type Scenario, scenarioShape } from './scenario.ts'

export interface ScenarioProblem {
  readonly field: string
  readonly message: string
}

export type ReadScenario =
  | { readonly scenario: Scenario; readonly problems: readonly [] }
  | { readonly scenario: undefined; readonly problems: readonly ScenarioProblem[] }

const maxNodes = 256
/** The replica must have the keys when the load begins. */
const maxLagMs = 1_000
/** The fields of a fault that name a node. */
const faultsOfNodes = ['crash', 'clock', 'disk', 'restart'] as const

/** `needsKeys`: whether a scenario without keys is a problem; false if a gateway of the user has them. Default true. */
export function readScenario(data: unknown, needsKeys = true): ReadScenario {
  const { value, problems } = readShape(scenarioShape, data)
  const found = problems.map(describeProblem)
  if (found.length === 0) found.push(...contradictions(value, needsKeys))
  return found.length === 0 ? { scenario: value, problems: [] } : { scenario: undefined, problems: found }
}

function describeProblem({ path, message, suggestion }: Problem): ScenarioProblem {
  const hint = suggestion === undefined ? '' : `; did you mean ${suggestion}?`
  return { field: printJsonPath(path), message: message + hint }
}

function contradictions(scenario: Scenario, needsKeys: boolean): ScenarioProblem[] {
  const found: ScenarioProblem[] = []
  const say = (path: JsonPath, message: string) => found.push({ field: printJsonPath(path), message })
  const nodes = nodeNames(Math.max(0, Math.min(scenario.nodes, maxNodes)))
  const keys = Object.keys(scenario.keys ?? {})
  const policies = Object.keys(scenario.policies ?? {})
  const place = (path: JsonPath, name: string, also: readonly string[] = []) => {
    if (name !== '' && !nodes.includes(name) && !also.includes(name)) {
      say(path, `there is no ${name}; there are ${[...nodes, ...also].join(', ')}`)
    }
  }
  if (scenario.nodes < 1 || scenario.nodes > maxNodes) say(['nodes'], `must be 1 to ${maxNodes}, is ${scenario.nodes}`)
  if (scenario.duration <= 0) say(['duration'], 'must be longer than nothing')
  if (keys.length === 0 && needsKeys)
    say(['keys'], 'is empty: give at least one key, for instance {"k1": {"rate": 10, "per": 60}}')
  const { delay, loss, doubling } = scenario.network
  if (delay !== null && (delay.length !== 2 || (delay[0] ?? 0) > (delay[1] ?? 0) || (delay[0] ?? 0) < 0)) {
    say(['network', 'delay'], 'must be the minimum and the maximum delay of a message, like [1ms, 20ms]')
  }
  for (const [name, share] of Object.entries({ loss, doubling })) {
    if (share < 0 || share > 1) say(['network', name], `must be a probability from 0 to 1, is ${share}`)
  }
  for (const [name, { policy, rate, per }] of Object.entries(scenario.keys ?? {})) {
    if (policy !== '' && !policies.includes(policy)) say(['keys', name, 'policy'], `there is no policy ${policy}`)
    if (rate > 0 && per <= 0) say(['keys', name, 'per'], 'is missing: a rate needs the seconds it is for')
  }
  for (const [i, load] of (scenario.load ?? []).entries()) {
    const path = ['load', i]
    if (load.key !== '' && !keys.includes(load.key))
      say([...path, 'key'], `there is no key ${load.key}; there are ${keys.join(', ')}`)
    if (load.perSecond <= 0 && load.burst <= 0) say(path, 'sends no requests: set per_second or burst')
    for (const [n, node] of (load.nodes ?? []).entries()) place([...path, 'nodes', n], node)
  }
  for (const [i, fault] of (scenario.faults ?? []).entries()) {
    const path = ['faults', i]
    if (fault.partition !== null && fault.partition.length !== 2)
      say([...path, 'partition'], 'must name two places, like [node-1, store]')
    for (const [n, name] of (fault.partition ?? []).entries()) place([...path, 'partition', n], name, [storePlace])
    for (const kind of faultsOfNodes) place([...path, kind], fault[kind])
    const named = faultsOfNodes.some((kind) => fault[kind] !== '')
    const isOne = named || fault.partition !== null || fault.storeDown || fault.failover
    if (!isOne) say(path, 'is no fault: give partition, crash, restart, store_down, failover, clock or disk')
    if (fault.lag > 0 && !fault.failover) say([...path, 'lag'], 'is of a failover: add failover: true')
    if (fault.failover && (fault.lag < 0 || fault.lag > maxLagMs))
      say([...path, 'lag'], `must be 0 to ${maxLagMs} ms, is ${fault.lag}`)
    if (fault.drain > 0 && fault.restart === '') say([...path, 'drain'], 'is of a restart: name a node with restart')
  }
  const failovers = (scenario.faults ?? []).filter(({ failover }) => failover).length
  if (failovers > 1) say(['faults'], `has ${failovers} failovers; the store has one replica, so one is possible`)
  if (failovers > 0 && scenario.store !== 'memory') say(['store'], 'has no replica for a failover: use memory')
  for (const [i, change] of (scenario.changes ?? []).entries()) {
    place(['changes', i, 'on'], change.on)
    place(['changes', i, 'reload'], change.reload, ['group'])
    if (change.deleteKey !== '' && !keys.includes(change.deleteKey))
      say(['changes', i, 'delete_key'], `there is no key ${change.deleteKey}`)
  }
  return found
}
