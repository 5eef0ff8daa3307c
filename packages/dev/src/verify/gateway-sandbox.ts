/**
 * The user's gateway in a sandbox: built from the user's files by the production code, but on a virtual clock, with
 * keys in memory and a simulated upstream. It uses no network and writes no files.
 */
import { collectResponse, type Engine, makeInjectedRequest, type ReloadReport } from '@turnpike/core/engine'
import type { RequestRecord } from '@turnpike/core/pipeline'
import type { Store } from '@turnpike/core/ports'
import { makeMemoryStore } from '@turnpike/core/store-memory'
import { makeFakeUpstream, makeSequentialIds, makeVirtualClock, type VirtualClock } from '@turnpike/testkit'
import {
  type Environment,
  type Gateway,
  type LoadedConfig,
  openGateway,
  type Seed,
  type SessionDocument,
} from 'turnpike/embedding'

export interface SandboxOptions {
  /** A valid configuration. */
  readonly loaded: LoadedConfig
  readonly environment: Environment
  /** The organisations of the seed file are created; the caller creates the keys. */
  readonly seed: Seed | undefined
  /** Wraps the store; tests seed bugs with it. Default: no wrapper. */
  readonly around?: ((store: Store) => Store) | undefined
}

/** A request from a client. */
export interface SandboxRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Client address. Default: the loopback address. */
  readonly remoteAddress?: string
  /** TCP port that receives the request. Default: the gateway's port. */
  readonly port?: number
}

/** The outcome of a request. */
export interface Verdict {
  readonly status: number
  /** The stage that rejected the request; `undefined` if none did or no API matched. */
  readonly rejectedBy: string | undefined
  readonly message: string
}

export interface Sandbox {
  readonly clock: VirtualClock
  readonly engine: Engine
  readonly gateway: Gateway
  /** Result of the initial load. */
  readonly report: ReloadReport
  /** Sends requests at the same instant, without waiting for earlier responses. */
  send(requests: readonly SandboxRequest[]): Promise<Verdict[]>
  /** Returns which stage decides about a request without counting it. */
  inspect(request: SandboxRequest): Promise<Inspection>
  close(): Promise<void>
}

/** The result of inspecting a request. */
export interface Inspection {
  readonly apiId: string | undefined
  /** The last stage that ran, and whether it rejected the request. */
  readonly stage: string
  readonly rejected: boolean
  /** The stages that ran, in order. */
  readonly stages: readonly string[]
  readonly status: number
}

/** Builds a gateway and loads its files. Rejects with `ConfigError` if the configuration is invalid. */
export async function openSandbox({
  loaded,
  environment,
  seed,
  around = (store) => store,
}: SandboxOptions): Promise<Sandbox> {
  const clock = makeVirtualClock()
  const { engine, gateway } = await openGateway(
    {
      definitions: loaded.config.appPath,
      store: around(makeMemoryStore({ clock })),
      clock,
      upstream: makeFakeUpstream(clock, () => ({ body: 'ok' })),
      ids: makeSequentialIds(),
      passwords: { hash: async (text) => text, matches: async (text, hash) => text === hash },
      log: 'silent',
      environment,
    },
    { ...loaded, config: quiet(loaded.config) },
  )
  const send = makeSender(engine, gateway)
  const report = await gateway.reload()
  for (const [orgId, session] of Object.entries(seed?.organisations ?? {})) {
    await gateway.organisations.put(orgId, session as SessionDocument)
  }
  return {
    clock,
    engine,
    gateway,
    report,
    send,
    inspect: (request) => inspectRequest(engine, request),
    close: () => gateway.close(0),
  }
}

/** Returns `Sandbox.send`. The user agent links a record to its request; no stage depends on it. */
function makeSender(engine: Engine, gateway: Gateway): Sandbox['send'] {
  const rejections = new Map<string, RequestRecord['rejection']>()
  gateway.onRequest(({ userAgent, rejection }) => rejections.set(userAgent, rejection))
  let sent = 0
  return async (requests) => {
    rejections.clear()
    const pending = requests.map((request) => {
      const userAgent = `verify/${sent++}`
      const headers = { ...request.headers, 'user-agent': userAgent }
      return { userAgent, response: handleOf(engine, request)(makeInjectedRequest({ ...request, headers })) }
    })
    const verdicts: Verdict[] = []
    for (const { userAgent, response } of pending) {
      const { status } = await collectResponse(await response)
      const rejection = rejections.get(userAgent)
      verdicts.push({ status, rejectedBy: rejection?.stage, message: rejection?.message ?? '' })
    }
    return verdicts
  }
}

async function inspectRequest(engine: Engine, request: SandboxRequest): Promise<Inspection> {
  const { response, apiId, stages } = await engine.explain(makeInjectedRequest(request), true, () => 0, request.port)
  const before = stages.filter(({ phase }) => phase < '6')
  const lastStage = before.at(-1)
  return {
    apiId,
    stage: lastStage?.stage ?? '',
    rejected: lastStage?.verdict.startsWith('rejects') ?? true,
    stages: before.map(({ stage }) => stage),
    status: response.status,
  }
}

function handleOf(engine: Engine, { port = 0 }: SandboxRequest): Engine['handle'] {
  return port === 0 ? engine.handle : engine.handleOn(port)
}

/** Returns the configuration without network integrations and background timers. */
export function quiet(config: LoadedConfig['config']): LoadedConfig['config'] {
  return {
    ...config,
    workers: 1,
    storage: { ...config.storage, type: 'memory' },
    dashboard: { ...config.dashboard, enabled: false },
    metrics: { ...config.metrics, enabled: false },
    enableAnalytics: false,
    eventHandlers: { ...config.eventHandlers, events: null },
    monitor: { ...config.monitor, enableTriggerMonitors: false },
    uptimeTests: { ...config.uptimeTests, disable: true },
    healthCheck: { ...config.healthCheck, enableHealthChecks: false },
  }
}
