/** Runs a plan and returns the history. The same plan gives the same history. */
import { type GatewayResponse, headerOf } from '@turnpike/core/http'
import type { GatewaySettings } from '@turnpike/core/ports'
import { makeMemoryStore } from '@turnpike/core/store-memory'
import { configHeader, requestedPathHeader } from '../cluster/echo-upstream.ts'
import type { Broker } from '../cluster/remote-signals.ts'
import { replicatedServer } from '../cluster/replicated-store.ts'
import { type Around, makeSimNode, type SimNode } from '../cluster/sim-node.ts'
import { type StoreServer, serverOf } from '../cluster/store-server.ts'
import { makeSimulation, type Simulation } from '../simulation/simulation.ts'
import type { Exchange, ExecutedStep, History, ServedConfiguration } from './history.ts'
import { oneApiGateway } from './one-api-gateway.ts'
import { makeStepRunner } from './perform-step.ts'
import { type Plan, type RequestStep, type Step, storePlace } from './plan.ts'
import type { SimulatedGateway } from './simulated-gateway.ts'

export interface RunOptions {
  /** The gateway of the nodes. Default: one API, with the keys and policies of the plan. */
  readonly gateway?: SimulatedGateway
  /** The store that the nodes share, empty. Default: the one in memory. */
  readonly makeServer?: (simulation: Simulation) => StoreServer | Promise<StoreServer>
  /** Wraps the ports of the nodes. Default: unchanged. */
  readonly around?: Around
  /** Override the settings of the gateway. */
  readonly settings?: Partial<GatewaySettings>
  /** Called periodically with the progress, from 0 to 1. */
  onProgress?(share: number): void
}

export async function runPlan(plan: Plan, options: RunOptions = {}): Promise<History> {
  const cluster = await openCluster(plan, options)
  const { nodes, gateway, network, clock, served, runner } = cluster
  const began = clock.now()
  const since = () => clock.now() - began
  const exchanges: Exchange[] = []
  const done: ExecutedStep[] = []

  const send = (step: RequestStep) => {
    const node = runner.nodeFor(step.node)
    const entry = newExchange(exchanges.length, { ...step, node }, since())
    exchanges.push(entry)
    void nodes
      .get(node)
      ?.handle(gateway.requestOf(step))
      ?.then((response) => collectResponse(entry, response, since()))
  }
  const perform = (step: Exclude<Step, { kind: 'request' }>) => {
    const entry: ExecutedStep = { step, startedAt: since(), endedAt: undefined, problem: undefined }
    done.push(entry)
    runner.perform(step).then(
      () => {
        entry.endedAt = since()
      },
      (cause: unknown) => {
        entry.problem = String(cause)
      },
    )
  }

  for (const [i, step] of plan.steps.entries()) {
    const wait = step.at - since()
    if (wait > 0) await clock.run(wait)
    if (step.kind === 'request') send(step)
    else perform(step)
    if ((i & 4095) === 0) options.onProgress?.(i / plan.steps.length)
  }
  const rest = plan.endsAt - since()
  if (rest > 0) await clock.run(rest)
  options.onProgress?.(1)
  await cluster.close()
  return {
    exchanges,
    done,
    served: served.map((entry) => ({ ...entry, at: entry.at - began })),
    atTheEnd: statesOf(nodes, gateway),
    traffic: Object.fromEntries(network.traffic),
    endedAt: since(),
  }
}

/** Long enough for every node to have read its disk, and for a replica to have the keys. */
const settlingMs = 1_000

/** Starts all nodes, and resolves when they serve. */
async function openCluster(plan: Plan, options: RunOptions) {
  const gateway = options.gateway ?? oneApiGateway(plan)
  const simulation = makeSimulation(plan.seed, plan.network)
  const { clock, network } = simulation
  const server = (await options.makeServer?.(simulation)) ?? serverFor(plan, simulation)
  const state = { storeIsUp: true }
  const broker: Broker = { at: storePlace, listeners: new Map(), isUp: () => state.storeIsUp }
  const served: ServedConfiguration[] = []
  const nodes = new Map<string, SimNode>()
  for (const name of plan.nodes) {
    const node = makeSimNode({
      name,
      simulation,
      server,
      broker,
      files: gateway.snapshotOf(plan.files),
      settings: { ...gateway.settings, ...options.settings },
      engineOptions: gateway.engineOptions ?? {},
      deadlineMs: plan.deadlineMs,
      around: options.around ?? {},
      onServes: (engine) =>
        served.push({ at: clock.now(), node: name, hash: engine.servedHash(), version: gateway.versionOf(engine) }),
    })
    nodes.set(name, node)
  }
  await gateway.seed(plan, server.beside, clock)
  const starts = [...nodes.values()].map((node) => node.start())
  await clock.run(settlingMs)
  await Promise.all(starts)
  const runner = makeStepRunner({ nodes, network, clock, server, gateway, state })
  return { gateway, network, clock, nodes, served, runner, close: async () => server.close?.() }
}

function serverFor({ steps }: Plan, { clock }: Simulation): StoreServer {
  const failover = steps.find((step) => step.kind === 'failover')
  return failover?.kind === 'failover' ? replicatedServer(clock, failover.lagMs) : serverOf(makeMemoryStore({ clock }))
}

function newExchange(id: number, { node, key, target }: RequestStep, startedAt: number): Exchange {
  const none = Number.NaN
  return {
    id,
    ...(target === undefined ? {} : { target }),
    node,
    key,
    startedAt,
    endedAt: undefined,
    status: 0,
    limit: none,
    remaining: none,
    resetAt: none,
    versionOfPath: none,
    versionOfHeaders: none,
  }
}

function collectResponse(entry: Exchange, { headers, status }: GatewayResponse, at: number): void {
  entry.endedAt = at
  entry.status = status
  entry.limit = numberIn(headerOf(headers, 'x-ratelimit-limit'))
  entry.remaining = numberIn(headerOf(headers, 'x-ratelimit-remaining'))
  entry.resetAt = numberIn(headerOf(headers, 'x-ratelimit-reset'))
  entry.versionOfPath = numberIn(/^\/v(\d+)\//.exec(headerOf(headers, requestedPathHeader) ?? '')?.[1])
  entry.versionOfHeaders = numberIn(headerOf(headers, configHeader))
}

const numberIn = (text: string | undefined) => (text === undefined || text === '' ? Number.NaN : Number(text))

function statesOf(nodes: ReadonlyMap<string, SimNode>, { versionOf }: SimulatedGateway): History['atTheEnd'] {
  const states = [...nodes.values()].flatMap((node) => {
    const engine = node.engine()
    return engine === undefined ? [] : [[node.name, { hash: engine.servedHash(), version: versionOf(engine) }] as const]
  })
  return Object.fromEntries(states)
}
