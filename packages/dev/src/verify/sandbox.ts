/**
 * The user's own gateway in a box: built from his files by the code that serves in production, but on a virtual clock,
 * with keys in memory and an upstream that answers everything. Nothing leaves the process and nothing is written.
 */
import {
  collectResponse,
  type Engine,
  makeInjectedRequest,
  makeMemoryStore,
  type ReloadReport,
  type RequestRecord,
  type Store,
} from '@turnpike/core'
import { makeFakeUpstream, makeSequentialIds, makeVirtualClock, type VirtualClock } from '@turnpike/testkit'
import {
  type Environment,
  type Gateway,
  type LoadedConfig,
  openGateway,
  type Seed,
  type SessionDocument,
} from 'turnpike/embedding'

export interface SandboxParts {
  /** Must be usable. */
  readonly loaded: LoadedConfig
  readonly environment: Environment
  /** Its organisations are put in; keys are the caller's matter. */
  readonly seed: Seed | undefined
  /** Something around the store: where tests plant faults. Default: nothing. */
  readonly around?: ((store: Store) => Store) | undefined
}

/** A request as somebody sends it. */
export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Default: this machine. */
  readonly remoteAddress?: string
  /** Port by which it comes. Default: the gateway's. */
  readonly port?: number
}

/** What came of a request. */
export interface Verdict {
  readonly status: number
  /** Stage that refused; `undefined`: nobody did, or no API was met. */
  readonly rejectedBy: string | undefined
  readonly message: string
}

export interface Sandbox {
  readonly clock: VirtualClock
  readonly engine: Engine
  readonly gateway: Gateway
  /** Of the load at its beginning. */
  readonly report: ReloadReport
  /** Sends requests at one instant, each before the answer to the one before is there. */
  ask(requests: readonly Asked[]): Promise<Verdict[]>
  /** Where a request would end, and who decides; nothing is counted. */
  look(request: Asked): Promise<Look>
  close(): Promise<void>
}

/** What a look at a request tells. */
export interface Look {
  readonly apiId: string | undefined
  /** The last stage that was met, and whether it refused. */
  readonly stage: string
  readonly refused: boolean
  /** Stages that were met, in order. */
  readonly stages: readonly string[]
  readonly status: number
}

/** Builds a gateway and loads its files. Rejects with `ConfigError` when the configuration cannot be used. */
export async function openSandbox({
  loaded,
  environment,
  seed,
  around = (store) => store,
}: SandboxParts): Promise<Sandbox> {
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
  // The user agent tells whose record it is: nothing that decides looks at it.
  const rejections = new Map<string, RequestRecord['rejection']>()
  gateway.onRequest(({ userAgent, rejection }) => rejections.set(userAgent, rejection))
  let sent = 0
  const report = await gateway.reload()
  for (const [orgId, session] of Object.entries(seed?.organisations ?? {})) {
    await gateway.organisations.put(orgId, session as SessionDocument)
  }
  return {
    clock,
    engine,
    gateway,
    report,
    async ask(requests) {
      rejections.clear()
      const pending = requests.map((request) => {
        const mark = `verify/${sent++}`
        return {
          mark,
          answer: handleOf(
            engine,
            request,
          )(makeInjectedRequest({ ...request, headers: { ...request.headers, 'user-agent': mark } })),
        }
      })
      const verdicts: Verdict[] = []
      for (const { mark, answer } of pending) {
        const { status } = await collectResponse(await answer)
        const rejection = rejections.get(mark)
        verdicts.push({ status, rejectedBy: rejection?.stage, message: rejection?.message ?? '' })
      }
      return verdicts
    },
    async look(request) {
      const { answer, apiId, stages } = await engine.explain(makeInjectedRequest(request), true, () => 0, request.port)
      const before = stages.filter(({ phase }) => phase < '6')
      const lastStage = before.at(-1)
      return {
        apiId,
        stage: lastStage?.stage ?? '',
        refused: lastStage?.verdict.startsWith('refuses') ?? true,
        stages: before.map(({ stage }) => stage),
        status: answer.status,
      }
    },
    close: () => gateway.close(0),
  }
}

function handleOf(engine: Engine, { port = 0 }: Asked): Engine['handle'] {
  return port === 0 ? engine.handle : engine.handleOn(port)
}

/** Without what speaks to the outside or keeps time of its own. */
function quiet(config: LoadedConfig['config']): LoadedConfig['config'] {
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
