/** Generates a plan from a scenario; the same seed gives the same plan. */
import {
  type Action,
  type Allowance,
  nodeNames,
  type Plan,
  type PlannedFiles,
  type PlannedKey,
  type PlannedLimit,
  type RequestStep,
  type Step,
  sortSteps,
  storePlace,
} from '../run/plan.ts'
import type { SimulatedGateway } from '../run/simulated-gateway.ts'
import type { Participant } from '../simulation/network.ts'
import { makePrng, type Prng } from '../simulation/prng.ts'
import type { Scenario, ScenarioChange, ScenarioFault, ScenarioKey, ScenarioLoad } from './scenario.ts'

/** A gateway with its own definitions, keys and limits, on which a scenario runs in place of the keys that it names. */
export interface ScenarioSubject {
  readonly gateway: SimulatedGateway
  /** The limits that the check `bound` compares with. */
  readonly limits: readonly PlannedLimit[]
  /** Generates the requests of all keys during the scenario, in any order of time. */
  load(scenario: Scenario, nodes: readonly Participant[], prng: Prng): RequestStep[]
}

/** `subject`: the gateway whose keys send the load. Default: the keys and the load of the scenario. */
export function planOfScenario(scenario: Scenario, seed: number, subject?: ScenarioSubject): Plan {
  const nodes = nodeNames(scenario.nodes)
  const keys =
    subject === undefined ? Object.entries(scenario.keys ?? {}).map(([name, key]) => plannedKey(name, key)) : []
  const { delay, loss, doubling, reordering } = scenario.network
  const loads =
    subject?.load(scenario, nodes, makePrng(seed, 'load of the gateway')) ??
    (scenario.load ?? []).flatMap((load, i) =>
      loadSteps(load, scenario, nodes, keys[0]?.name ?? '', makePrng(seed, `load ${i}`)),
    )
  const steps = [
    ...(scenario.faults ?? []).flatMap((fault) => faultSteps(fault)),
    ...randomFaults(scenario, nodes, makePrng(seed, 'faults')),
    ...changeSteps(scenario, nodes),
    ...loads,
  ]
  return {
    name: scenario.name === '' ? 'scenario' : scenario.name,
    seed,
    nodes,
    algorithm: subject?.gateway.settings.limits.algorithm ?? scenario.limiter,
    network: { delayMs: [delay?.[0] ?? 1, delay?.[1] ?? 5], loss, doubling, reordering },
    deadlineMs: scenario.storeDeadline,
    keys,
    files: { version: 1, policies: policiesOf(scenario.policies) },
    ...(subject === undefined ? {} : { limits: subject.limits }),
    steps: sortSteps(steps),
    endsAt: scenario.duration + scenario.quiet,
  }
}

function plannedKey(name: string, { policy, rate, per, quotaMax, quotaRenewalRate }: ScenarioKey): PlannedKey {
  return policy === ''
    ? { name, allowance: { rate, per, quotaMax, quotaRenewalRate }, policy: undefined }
    : { name, allowance: undefined, policy }
}

function policiesOf(policies: Scenario['policies']): Record<string, Allowance> {
  return Object.fromEntries(Object.entries(policies ?? {}).map(([id, allowance]) => [id, { ...allowance }]))
}

function loadSteps(load: ScenarioLoad, scenario: Scenario, all: readonly string[], first: string, prng: Prng): Step[] {
  const nodes = load.nodes === null || load.nodes.length === 0 ? all : load.nodes
  const key = load.key === '' ? first : load.key
  const to = load.to ?? scenario.duration
  const count = Math.max(0, Math.round((load.perSecond * (to - load.from)) / 1000))
  const request = (at: number): Step => ({ at, kind: 'request', node: prng.oneOf(nodes), key })
  return [
    ...Array.from({ length: count }, () => request(prng.between(load.from, to))),
    ...Array.from({ length: load.burst }, () => request(load.from)),
  ]
}

function faultSteps(fault: ScenarioFault): Step[] {
  const { at, partition, crash, storeDown, clock, by, disk, takes, failover, lag, restart, drain } = fault
  const steps: Step[] = []
  const add = (begin: Action, end?: Action) => {
    steps.push({ at, ...begin })
    if (end !== undefined && fault.for > 0) steps.push({ at: at + fault.for, ...end })
  }
  if (partition !== null) {
    const [a = '', b = ''] = partition
    add({ kind: 'cut', a, b }, { kind: 'heal', a, b })
  }
  if (crash !== '') add({ kind: 'crash', node: crash }, { kind: 'start', node: crash })
  if (storeDown) add({ kind: 'store-down' }, { kind: 'store-up' })
  if (clock !== '') add({ kind: 'clock', node: clock, byMs: by }, { kind: 'clock', node: clock, byMs: -by })
  if (disk !== '') add({ kind: 'disk', node: disk, readMs: takes }, { kind: 'disk', node: disk, readMs: usualReadMs })
  if (failover) add({ kind: 'failover', forMs: fault.for, lagMs: lag })
  if (restart !== '') add({ kind: 'restart', node: restart, drainMs: drain, downMs: fault.for })
  return steps
}

const usualReadMs = 5

/** Random faults begin and end within the duration. */
function randomFaults({ random, duration }: Scenario, nodes: readonly string[], prng: Prng): Step[] {
  const steps: Step[] = []
  const lasting = (from: number, to: number, begin: Action, end: Action): Step[] => [
    { at: from, ...begin },
    { at: to, ...end },
  ]
  const times = (count: number, make: (from: number, to: number) => Step[]) => {
    for (let i = 0; i < count; i += 1) {
      const from = prng.between(0, duration)
      steps.push(...make(from, prng.between(from, duration)))
    }
  }
  times(random.partitions, (from, to) => {
    const a = prng.oneOf(nodes)
    return lasting(from, to, { kind: 'cut', a, b: storePlace }, { kind: 'heal', a, b: storePlace })
  })
  times(random.crashes, (from, to) => {
    const node = prng.oneOf(nodes)
    return lasting(from, to, { kind: 'crash', node }, { kind: 'start', node })
  })
  times(random.storeOutages, (from, to) => lasting(from, to, { kind: 'store-down' }, { kind: 'store-up' }))
  times(random.clockSteps, (from) => [
    { at: from, kind: 'clock', node: prng.oneOf(nodes), byMs: prng.between(-3_600_000, 3_600_000) },
  ])
  times(random.slowDisks, (from, to) => {
    const node = prng.oneOf(nodes)
    const readMs = prng.between(100, 3_000)
    return lasting(from, to, { kind: 'disk', node, readMs }, { kind: 'disk', node, readMs: usualReadMs })
  })
  return steps
}

function changeSteps({ changes, policies }: Scenario, nodes: readonly string[]): Step[] {
  let files: PlannedFiles = { version: 1, policies: policiesOf(policies) }
  const inOrder = (changes ?? []).toSorted((a, b) => a.at - b.at)
  return inOrder.flatMap((change) => {
    const steps = stepsOfChange(change, nodes, files)
    const written = steps.find((step) => step.kind === 'files')
    if (written?.kind === 'files') files = written.files
    return steps
  })
}

function stepsOfChange(change: ScenarioChange, nodes: readonly string[], files: PlannedFiles): Step[] {
  const { at, reload, deleteKey, keys, policies } = change
  const node = change.on === '' ? (nodes[0] ?? '') : change.on
  const steps: Step[] = []
  if (policies !== null || reload !== '') {
    const next = { version: files.version + 1, policies: { ...files.policies, ...policiesOf(policies) } }
    steps.push({ at, kind: 'files', files: next })
  }
  for (const [name, key] of Object.entries(keys ?? {}))
    steps.push({ at, kind: 'put-key', node, key: plannedKey(name, key) })
  if (deleteKey !== '') steps.push({ at, kind: 'delete-key', node, key: deleteKey })
  if (reload === 'group') steps.push({ at, kind: 'reload-group', node })
  else if (reload !== '') steps.push({ at, kind: 'reload', node: reload })
  return steps
}
