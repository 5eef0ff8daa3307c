/** Runs a plan and returns the history. The same plan gives the same history. */
import {
  defaultSettings,
  type GatewayRequest,
  type GatewayResponse,
  type GatewaySettings,
  headerOf,
  makeMemoryStore,
  type Session,
  sessionShape,
  silentLog,
} from '@turnpike/core'
import { askedPathHeader, configHeader } from '../cluster/echo-upstream.ts'
import type { Broker } from '../cluster/remote-signals.ts'
import { type Around, makeSimNode, type SimNode } from '../cluster/sim-node.ts'
import { type StoreServer, serverOf } from '../cluster/store-server.ts'
import { makeSimulation, type Simulation } from '../simulation/simulation.ts'
import { filesOf, orgId, sessionOf } from './documents.ts'
import type { Asked, Done, History, Served } from './history.ts'
import { type Plan, type Step, storePlace } from './plan.ts'

export interface RunOptions {
  /** The store that the nodes share, empty. Default: the one in memory. */
  readonly makeServer?: (simulation: Simulation) => StoreServer | Promise<StoreServer>
  /** Wraps the ports of the nodes. Default: unchanged. */
  readonly around?: Around
  /** Override the settings that follow from the plan. */
  readonly settings?: Partial<GatewaySettings>
  /** Called periodically with the progress, from 0 to 1. */
  onProgress?(share: number): void
}

/** Time until a node notices that a connection is restored. */
const reconnectMs = 1_000

export async function runPlan(plan: Plan, options: RunOptions = {}): Promise<History> {
  const simulation = makeSimulation(plan.seed, plan.network)
  const { clock, network } = simulation
  const epoch = clock.now()
  const since = () => clock.now() - epoch
  const server = (await options.makeServer?.(simulation)) ?? serverOf(makeMemoryStore({ clock }))
  let storeIsUp = true
  const broker: Broker = { at: storePlace, listeners: new Map(), isUp: () => storeIsUp }
  const asked: Asked[] = []
  const done: Done[] = []
  const served: Served[] = []
  let files = plan.files
  const versions = new Map<string, number>()

  const nodes = new Map<string, SimNode>()
  for (const name of plan.nodes) {
    const node = makeSimNode({
      name,
      simulation,
      server,
      broker,
      files: filesOf(plan.files),
      settings: { ...settingsOf(plan), ...options.settings },
      deadlineMs: plan.deadlineMs,
      log: silentLog,
      around: options.around ?? {},
      onServes: (hash) => served.push({ at: since(), node: name, hash, version: versionOf(node, versions) }),
    })
    nodes.set(name, node)
  }
  for (const key of plan.keys) await server.beside.sessions.put(orgId + key.name, readSession(sessionOf(key)))
  const starts = [...nodes.values()].map((node) => node.start())
  await clock.run(settlingMs)
  await Promise.all(starts)
  const began = since()

  const send = (step: Step & { kind: 'request' }) => {
    const entry = makeAsked(asked.length, step, since() - began)
    asked.push(entry)
    void nodes
      .get(step.node)
      ?.handle(requestOf(step.key))
      ?.then((answer) => collectResponse(entry, answer, since() - began))
  }

  const perform = async (step: Exclude<Step, { kind: 'request' }>): Promise<void> => {
    const node = 'node' in step ? nodes.get(step.node) : undefined
    switch (step.kind) {
      case 'cut':
        return network.cut(step.a, step.b)
      case 'heal':
        network.heal(step.a, step.b)
        for (const place of [step.a, step.b]) clock.after(reconnectMs, () => nodes.get(place)?.reconnected())
        return
      case 'crash':
        return node?.crash()
      case 'start':
        return node?.start()
      case 'store-down':
        storeIsUp = false
        return
      case 'store-up':
        storeIsUp = true
        clock.after(reconnectMs, () => {
          for (const each of nodes.values()) each.reconnected()
        })
        return
      case 'clock':
        return node?.step(step.byMs)
      case 'disk':
        return node?.disk.setReadMs(step.readMs)
      case 'files':
        files = step.files
        for (const each of nodes.values()) each.disk.write(filesOf(files))
        return
      case 'reload':
        return node?.reload()
      case 'reload-group':
        return node?.reloadGroup()
      case 'put-key': {
        const written = await node?.keys()?.put(step.key.name, readSession(sessionOf(step.key)))
        if (written?.kind !== 'written')
          throw new Error(`the key was not written: ${written?.kind ?? 'the node is down'}`)
        return
      }
      case 'delete-key': {
        const removal = await node?.keys()?.remove({ name: orgId + step.key, orgId })
        if (removal?.kind !== 'removed')
          throw new Error(`the key was not removed: ${removal?.kind ?? 'the node is down'}`)
      }
    }
  }

  const note = (step: Step, startedAt: number) => {
    const entry = {
      step,
      startedAt,
      endedAt: undefined as number | undefined,
      problem: undefined as string | undefined,
    }
    done.push(entry)
    return entry
  }

  for (const [i, step] of plan.steps.entries()) {
    const wait = step.at - (since() - began)
    if (wait > 0) await clock.run(wait)
    if (step.kind === 'request') send(step)
    else {
      const entry = note(step, since() - began)
      perform(step).then(
        () => {
          entry.endedAt = since() - began
        },
        (cause: unknown) => {
          entry.problem = String(cause)
        },
      )
    }
    if ((i & 4095) === 0) options.onProgress?.(i / plan.steps.length)
  }
  const rest = plan.endsAt - (since() - began)
  if (rest > 0) await clock.run(rest)
  options.onProgress?.(1)
  await server.close?.()
  const shifted = served.map((entry) => ({ ...entry, at: entry.at - began }))
  return { asked, done, served: shifted, atTheEnd: statesOf(nodes, versions), endedAt: since() - began }
}

/** How long a node caches a key, as a gateway on Redis does. */
export const sessionsCachedForMs = 10_000

/** Long enough for every node to have read its disk. */
const settlingMs = 1_000

function settingsOf(plan: Plan): GatewaySettings {
  return {
    ...defaultSettings,
    keys: { ...defaultSettings.keys, cachedForMs: sessionsCachedForMs },
    limits: { ...defaultSettings.limits, algorithm: plan.algorithm },
  }
}

function makeAsked(id: number, { node, key }: Step & { kind: 'request' }, startedAt: number): Asked {
  const none = Number.NaN
  return {
    id,
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

function collectResponse(entry: Asked, answer: GatewayResponse, at: number): void {
  const { headers } = answer
  entry.endedAt = at
  entry.status = answer.status
  entry.limit = numberIn(headerOf(headers, 'x-ratelimit-limit'))
  entry.remaining = numberIn(headerOf(headers, 'x-ratelimit-remaining'))
  entry.resetAt = numberIn(headerOf(headers, 'x-ratelimit-reset'))
  entry.versionOfPath = numberIn(/^\/v(\d+)\//.exec(headerOf(headers, askedPathHeader) ?? '')?.[1])
  entry.versionOfHeaders = numberIn(headerOf(headers, configHeader))
}

const numberIn = (text: string | undefined) => (text === undefined || text === '' ? Number.NaN : Number(text))

/** The version of the files that a node serves, read from its definition and cached by hash. */
function versionOf(node: SimNode, versions: Map<string, number>): number {
  const engine = node.engine()
  const hash = engine?.servedHash() ?? ''
  const known = versions.get(hash)
  if (known !== undefined) return known
  const target = engine?.definitions()[0]?.document.proxy.targetUrl ?? ''
  const version = numberIn(/\/v(\d+)\//.exec(target)?.[1])
  versions.set(hash, version)
  return version
}

function statesOf(nodes: ReadonlyMap<string, SimNode>, versions: Map<string, number>): History['atTheEnd'] {
  const up = [...nodes.values()].filter((node) => node.engine() !== undefined)
  return Object.fromEntries(
    up.map((node) => [node.name, { hash: node.engine()?.servedHash() ?? '', version: versionOf(node, versions) }]),
  )
}

function requestOf(key: string): GatewayRequest {
  return {
    method: 'GET',
    path: '/api/a',
    query: '',
    headers: ['host', 'gateway.test', 'authorization', orgId + key],
    remoteAddress: '192.0.2.1',
    secure: false,
    body: undefined,
    bodyLength: 0,
    onAbort() {},
  }
}

function readSession(wire: object): Session {
  return sessionShape.read(wire, [], [])
}
