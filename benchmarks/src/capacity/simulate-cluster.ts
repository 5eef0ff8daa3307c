/**
 * A large simulated cluster: many nodes, many keys, all requests counted in one store. Shows that limits stay exact, how
 * long a reload of the group takes to reach all nodes, and how many messages are sent.
 */
import { type History, type Plan, runPlan, type Step, worstWindow } from '@turnpike/cluster-sim'

export interface SimulationSize {
  readonly nodes: number
  readonly keys: number
  /** Requests with a key of their own each, as long as there are keys. */
  readonly requests: number
  /** Keys that all nodes ask at the same moments, twice their rate. */
  readonly hotKeys: number
}

export interface SimulationResult extends SimulationSize {
  readonly hotRate: number
  readonly hotSeconds: number
  /** Requests with hot keys, and how many of them were admitted. */
  readonly hotRequests: number
  readonly hotAdmitted: number
  /** The most that one hot key admitted in a window, and how many keys admitted more than their rate. */
  readonly worstWindow: number
  readonly keysOverLimit: number
  /** Requests that a limit which they did not reach rejected, and requests without a response or with 5xx. */
  readonly wronglyRejected: number
  readonly unanswered: number
  /** Milliseconds from the request to reload the group until the median and the last node serve it. */
  readonly reloadMedianMs: number
  readonly reloadLastMs: number
  /** Messages of nodes to the store, and of the store to nodes. */
  readonly messagesToStore: number
  readonly messagesFromStore: number
  readonly cpuSeconds: number
  readonly peakResidentMiB: number
}

export const fullSimulation: SimulationSize = { nodes: 100, keys: 1_000_000, requests: 1_000_000, hotKeys: 20 }
export const quickSimulation: SimulationSize = { nodes: 100, keys: 20_000, requests: 20_000, hotKeys: 5 }

const hotRate = 50
const hotSeconds = 10
const hotPerKey = 2 * hotRate
const durationMs = 40_000
const reloadAt = 20_000
const delayMs = [1, 5] as const

export async function simulateCluster(size: SimulationSize): Promise<SimulationResult> {
  const plan = planOf(size)
  const before = process.cpuUsage()
  const history = await runPlan(plan)
  const { user, system } = process.cpuUsage(before)
  const peak = process.resourceUsage().maxRSS / 1024
  return { ...resultOf(size, history), cpuSeconds: (user + system) / 1e6, peakResidentMiB: peak }
}

function planOf({ nodes, keys, requests, hotKeys }: SimulationSize): Plan {
  const names = Array.from({ length: nodes }, (_, i) => `node-${i + 1}`)
  const nodeOf = (i: number) => names[i % nodes] as string
  const allowance = { rate: hotRate, per: hotSeconds, quotaMax: 0, quotaRenewalRate: 0 }
  const calm = Array.from(
    { length: requests },
    (_, i): Step => ({
      at: Math.floor((i / requests) * durationMs),
      kind: 'request',
      node: nodeOf(i * 7),
      key: `k${i % keys}`,
    }),
  )
  // All nodes at the same moments: within the window, and again when it is over.
  const hot = Array.from({ length: hotKeys }, (_, key) =>
    [3_000, 3_000 + hotSeconds * 1_000 + 10].flatMap((at) =>
      Array.from({ length: hotPerKey }, (__, i): Step => ({ at, kind: 'request', node: nodeOf(i), key: `hot${key}` })),
    ),
  ).flat()
  const changes: Step[] = [
    { at: reloadAt, kind: 'files', files: { version: 2, policies: {} } },
    { at: reloadAt, kind: 'reload-group', node: nodeOf(0) },
  ]
  const all = [
    ...Array.from({ length: keys }, (_, i) => `k${i}`),
    ...Array.from({ length: hotKeys }, (_, i) => `hot${i}`),
  ]
  return {
    name: 'a large cluster',
    seed: 1,
    nodes: names,
    algorithm: 'rolling',
    network: { delayMs, loss: 0, doubling: 0, reordering: false },
    deadlineMs: 1_000,
    keys: all.map((name) => ({ name, allowance, policy: undefined })),
    files: { version: 1, policies: {} },
    steps: [...calm, ...hot, ...changes].sort((a, b) => a.at - b.at),
    endsAt: durationMs + 2_000,
  }
}

function resultOf(size: SimulationSize, { exchanges, served, traffic, done }: History) {
  const byHotKey = new Map<string, (typeof exchanges)[number][]>()
  let [wronglyRejected, unanswered] = [0, 0]
  for (const one of exchanges) {
    if (one.status === 0 || one.status >= 500) unanswered += 1
    if (one.key.startsWith('hot')) byHotKey.set(one.key, [...(byHotKey.get(one.key) ?? []), one])
    else if (one.status === 429) wronglyRejected += 1
  }
  const windows = [...byHotKey.values()].map((mine) => worstWindow(mine, hotSeconds * 1_000).count)
  const hot = [...byHotKey.values()].flat()
  const began = done.find(({ step }) => step.kind === 'reload-group')?.startedAt ?? Number.NaN
  // A node may load the files again, so its first time counts.
  const firstOf = new Map<string, number>()
  for (const { node, version, at } of served) {
    if (version === 2 && !firstOf.has(node)) firstOf.set(node, at - began)
  }
  const reached = [...firstOf.values()].sort((a, b) => a - b)
  const sentByStore = traffic['store']?.sent ?? 0
  const sent = Object.values(traffic).reduce((sum, one) => sum + one.sent, 0)
  return {
    ...size,
    ...{ hotRate, hotSeconds, hotRequests: hot.length, wronglyRejected, unanswered },
    hotAdmitted: hot.filter(({ status }) => status === 200).length,
    worstWindow: Math.max(0, ...windows),
    keysOverLimit: windows.filter((count) => count > hotRate).length,
    reloadMedianMs: reached[Math.floor(reached.length / 2)] ?? Number.NaN,
    reloadLastMs: reached.length === size.nodes ? (reached.at(-1) ?? Number.NaN) : Number.NaN,
    messagesToStore: sent - sentByStore,
    messagesFromStore: sentByStore,
  }
}
