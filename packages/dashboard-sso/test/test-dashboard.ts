/** A dashboard before a whole engine in memory, on a virtual clock, and the calls of a client. */
import { collectResponse, type Engine, makeEngine, makeInjectedRequest, type ReloadReport } from '@turnpike/core/engine'
import type { SecretLookup } from '@turnpike/core/lib'
import type { RequestRecord, RequestWatcher } from '@turnpike/core/pipeline'
import { defaultSettings, type GatewaySettings, type RecordStore, sessionShape } from '@turnpike/core/ports'
import { makeMemorySignals, makeMemoryStore } from '@turnpike/core/store-memory'
import {
  type MemoryLog,
  makeFakeUpstream,
  makeMemoryLog,
  makeSequentialIds,
  makeVirtualClock,
  type VirtualClock,
} from '@turnpike/testkit'
import { type Dashboard, makeDashboard } from '../src/dashboard.ts'
import type { DashboardOptions } from '../src/dashboard-options.ts'

export const adminSecret = 'the-admin-secret'

export const testOptions: DashboardOptions = {
  adminSecret,
  organisations: [
    { id: 'org1', ownerName: 'One' },
    { id: 'org2', ownerName: 'Two' },
  ],
  users: [
    user('u-anna', 'anna@one.example', { apis: 'write' }),
    { ...user('u-old', 'old@one.example', { apis: 'write' }), active: false },
    { ...user('u-group', 'group@one.example', null), groupId: 'g-read' },
  ],
  userGroups: [
    { id: 'g-read', orgId: 'org1', name: 'readers', userPermissions: { apis: 'read', keys: 'deny' } },
    { id: 'g-keys', orgId: 'org1', name: 'keys', userPermissions: { keys: 'write', apis: 'deny' } },
    { id: 'g-two', orgId: 'org2', name: 'two', userPermissions: { apis: 'read' } },
  ],
  homePath: '/',
  portalHomePath: '/portal/',
  dashboardSessionLifetime: 3600,
  portalSessionLifetime: 3600,
  ssoPermissionDefaults: null,
  ssoDefaultGroupId: '',
  ssoEnableUserLookup: false,
  ssoCustomLoginErrorUrl: '',
  ssoNonceLifetime: 60,
  secureCookie: 'auto',
}

function user(id: string, emailAddress: string, userPermissions: Record<string, string> | null) {
  return { id, emailAddress, orgId: 'org1', active: true, groupId: '', userPermissions }
}

export interface TestDashboardOptions {
  readonly options?: Partial<DashboardOptions>
  readonly apis?: readonly { readonly api_id: string }[]
  readonly settings?: Partial<GatewaySettings>
  /** Values of `env://` and `secrets://` references. */
  readonly secret?: SecretLookup
  /** Puts something around what the store keeps as records. */
  readonly records?: (real: RecordStore) => Partial<RecordStore>
}

export interface TestDashboard {
  readonly dashboard: Dashboard
  readonly engine: Engine
  readonly clock: VirtualClock
  readonly log: MemoryLog
  readonly records: RecordStore
  /** Definitions of the next reload. */
  readonly apis: { readonly api_id: string }[]
  call(method: string, path: string, more?: CallOptions): Promise<Response>
  /** A token for this payload. */
  token(payload?: object): Promise<string>
  /** The cookie of a fresh session. */
  signOn(payload?: object, path?: '/tap' | '/sso'): Promise<string>
  /** A request to the gateway itself. */
  send(url: string, headers?: Record<string, string>): Promise<number>
  putKey(name: string, wire: object): Promise<void>
  /** Number of requests that were traced for the dashboard. */
  traced(): number
}

export interface CallOptions {
  readonly headers?: Record<string, string>
  readonly body?: string
  readonly bodyTooLong?: boolean
  readonly origin?: string
  readonly signal?: AbortSignal
  /** Address of the client. */
  readonly address?: string
}

export async function makeTestDashboard(wish: TestDashboardOptions = {}): Promise<TestDashboard> {
  const clock = makeVirtualClock()
  const log = makeMemoryLog()
  const ids = makeSequentialIds()
  const memory = makeMemoryStore({ clock })
  const records: RecordStore = { ...memory.records, ...wish.records?.(memory.records) }
  const store = { ...memory, records }
  const settings = { ...defaultSettings, ...wish.settings }
  const apis = [...(wish.apis ?? [])]
  const requests = new Set<(entry: RequestRecord) => void>()
  const reloads = new Set<(report: ReloadReport) => void>()
  let traced = 0
  let watching: Pick<RequestWatcher, 'wants' | 'watched'> | undefined
  const engine = makeEngine({
    ...{ clock, store, ids, log, settings },
    ...(wish.secret === undefined ? {} : { secret: wish.secret }),
    upstream: makeFakeUpstream(clock),
    signals: makeMemorySignals(),
    passwords: { hash: async (text) => text, matches: async (text, hash) => text === hash },
    source: { read: async () => snapshotOf(apis) },
    records: [{ record: (entry) => requests.forEach((hear) => void hear(entry)) }],
    watcher: {
      nowMicros: () => clock.now() * 1000,
      wants: () => watching?.wants() ?? false,
      watched(entry, details) {
        traced += 1
        watching?.watched(entry, details)
      },
    },
    onReload: (report) => reloads.forEach((hear) => void hear(report)),
  })
  await engine.reload()
  const dashboard = makeDashboard({
    options: { ...testOptions, ...wish.options },
    ...{ store, settings, clock, ids, log },
    gateway: {
      version: '0.0.0',
      definitions: engine.definitions,
      policies: engine.policies,
      breakers: engine.breakers,
      report: engine.report,
      reload: engine.reload,
      onRequest: listenTo(requests),
      onReload: listenTo(reloads),
      watch(watcher) {
        watching = watcher
        return () => {
          watching = undefined
        }
      },
      manage: async () => ({ status: 404, body: { message: 'there is no management API' } }),
      async explain({ method, target, headers, remoteAddress, secure }) {
        const request = makeInjectedRequest({ method, url: target, headers, remoteAddress, secure })
        const { response, stages, why, nearest } = await engine.explain(request, true, () => clock.now() * 1000)
        return { status: response.status, headers: response.headers, stages, nearest, why: why?.message }
      },
    },
  })

  return {
    ...{ dashboard, engine, clock, log, records, apis },
    ...makeCalls(dashboard),
    async send(url, headers = {}) {
      return (await collectResponse(await engine.handle(makeInjectedRequest({ url, headers })))).status
    },
    traced: () => traced,
    async putKey(name, wire) {
      await store.sessions.put(name, sessionShape.read(wire, [], []))
      engine.sessionCache.forget(name)
    },
  }
}

/** The calls of a browser and of an identity broker. */
function makeCalls(dashboard: Dashboard): Pick<TestDashboard, 'call' | 'token' | 'signOn'> {
  const call: TestDashboard['call'] = (method, path, more = {}) => {
    const { headers, body, bodyTooLong = false, origin = 'http://gateway.test', signal } = more
    const { address = '192.0.2.7' } = more
    const request = new Request(origin + path, {
      method,
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    })
    return dashboard.fetch(request, { address, bodyTooLong })
  }
  const token: TestDashboard['token'] = async (payload = {}) => {
    const body = JSON.stringify({ OrgID: 'org1', ForSection: 'dashboard', ...payload })
    const answer = await call('POST', '/admin/sso', { headers: { 'Admin-Auth': adminSecret }, body })
    const { Meta } = (await answer.json()) as { Meta: string }
    return Meta
  }
  return {
    call,
    token,
    async signOn(payload, path = '/tap') {
      const answer = await call('GET', `${path}?nonce=${await token(payload)}`)
      return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    },
  }
}

/** A definition without a key, of org1; `change` adds fields and replaces them. */
export function openApi(id: string, change: object = {}): { readonly api_id: string } {
  const definition = {
    ...{ name: id, api_id: id, org_id: 'org1', active: true, use_keyless: true },
    version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
    proxy: { listen_path: `/${id}/`, target_url: `http://user:secret@${id}.test/`, strip_listen_path: true },
  }
  return { ...definition, ...change }
}

/** One that wants a key in `Authorization`. */
export function keyedApi(id: string, change: object = {}): { readonly api_id: string } {
  return openApi(id, { use_keyless: false, auth: { auth_header_name: 'Authorization' }, ...change })
}

const listenTo =
  <T>(listeners: Set<(value: T) => void>) =>
  (listener: (value: T) => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

function snapshotOf(apis: readonly { readonly api_id: string }[]) {
  const definitions = apis.map((api) => {
    const text = JSON.stringify(api)
    return { name: `${api.api_id}.json`, hash: text, text, problem: undefined }
  })
  return { definitions, definitionsProblem: undefined, policies: { kind: 'none' as const } }
}
