/**
 * A whole gateway in memory for the tests of the management API: the engine on a virtual clock, files as a map, and the
 * calls of a client. Nothing is faked but time, the upstream, the disk and the encryption of private keys.
 */

import { makeCertificateStore } from '@turnpike/core/auth'
import { type DefinitionSource, pairSidecars, type SourceDocument } from '@turnpike/core/definition'
import { collectResponse, describeNode, type Engine, makeEngine, makeInjectedRequest } from '@turnpike/core/engine'
import { hashText, type SecretLookup } from '@turnpike/core/lib'
import { defaultSettings, type GatewaySettings, type Signals, type Store } from '@turnpike/core/ports'
import { KeyRegistry, type KeyRegistryDependencies, makeOrgSessions } from '@turnpike/core/session'
import { makeMemorySignals, makeMemoryStore } from '@turnpike/core/store-memory'
import {
  type FakeUpstream,
  type MemoryLog,
  makeFakeUpstream,
  makeMemoryLog,
  makeSequentialIds,
  makeVirtualClock,
  type VirtualClock,
} from '@turnpike/testkit'
import { makeBatchEndpoint } from '../src/batch/batch-endpoint.ts'
import { makeHealthCounters } from '../src/health/health-counters.ts'
import { makeStoreWatch } from '../src/health/store-watch.ts'
import type { DefinitionStore, Management } from '../src/management.ts'
import { type ManagementApi, makeManagementApi } from '../src/management-api.ts'
import { defaultManagementOptions, type ManagementOptions } from '../src/management-options.ts'
import { makeOAuth } from '../src/oauth/oauth.ts'
import { makeOAuthEndpoints } from '../src/oauth/oauth-endpoints.ts'
import { defaultOAuthSettings } from '../src/oauth/oauth-settings.ts'
import { fakePemCodec } from './support/fake-pem-codec.ts'

const testSettings: GatewaySettings = {
  ...defaultSettings,
  limits: { ...defaultSettings.limits, enforceOrgQuotas: true },
}

export const secret = 'the-management-key'

export interface TestGatewayOptions {
  readonly settings?: Partial<Omit<GatewaySettings, 'keys'>> & { readonly keys?: Partial<GatewaySettings['keys']> }
  readonly options?: Partial<ManagementOptions>
  readonly apis?: readonly object[]
  readonly policies?: readonly object[]
  readonly parts?: Partial<KeyRegistryDependencies>
  readonly management?: Partial<Management>
  readonly store?: (clock: VirtualClock) => Store
  readonly signals?: Signals
  /** Values of `env://` and `secrets://` references. */
  readonly secret?: SecretLookup
}

/** A response as a client reads it. */
export interface Said {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: unknown
}

export interface TestGateway {
  readonly api: ManagementApi
  readonly engine: Engine
  readonly keys: KeyRegistry
  readonly clock: VirtualClock
  readonly log: MemoryLog
  readonly upstream: FakeUpstream
  /** `apps/ID.json` and `policies/ID.json`. */
  readonly files: Map<string, string>
  /** A management call with the key. Objects go as JSON. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Said>
  /** The same without the key. */
  callOpen(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Said>
  /** Sends a request to an API; returns the status. */
  ask(path: string, key?: string, method?: string): Promise<number>
}

/** A classic definition that requires a key. */
export function keyedApi(id: string, more: object = {}): object {
  return {
    name: id,
    api_id: id,
    org_id: 'org1',
    active: true,
    use_keyless: false,
    auth: { auth_header_name: 'Authorization' },
    version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
    proxy: { listen_path: `/${id}/`, target_url: 'http://upstream.test', strip_listen_path: true },
    ...more,
  }
}

/** A session that opens these APIs. */
export function sessionFor(...apiIds: string[]): object {
  const rights = apiIds.map((id) => [id, { api_id: id, versions: ['Default'] }])
  return { org_id: 'org1', access_rights: Object.fromEntries(rights) }
}

/** Starts a gateway; definitions and policies given are loaded. */
export async function makeTestGateway(given: TestGatewayOptions = {}): Promise<TestGateway> {
  const clock = makeVirtualClock()
  const log = makeMemoryLog()
  const ids = makeSequentialIds()
  const store = given.store?.(clock) ?? makeMemoryStore({ clock })
  const signals = given.signals ?? makeMemorySignals()
  const settings: GatewaySettings = {
    ...testSettings,
    ...given.settings,
    keys: { ...testSettings.keys, ...given.settings?.keys },
  }
  const files = filesOf(given)
  const counters = makeHealthCounters(clock)
  const upstream = makeFakeUpstream(clock)
  const source = sourceOf(files)
  const ports = { clock, store, signals, upstream, log, ids, passwords, settings }
  const oauth = makeOAuth({ ...ports, oauth: defaultOAuthSettings, engine: () => engine })
  const engine: Engine = makeEngine({
    ...ports,
    endpoints: [makeBatchEndpoint(), ...makeOAuthEndpoints(oauth, secret)],
    clientExists: oauth.clientExists,
    source,
    records: [counters],
    ...(given.secret === undefined ? {} : { secret: given.secret }),
  })
  await engine.reload()

  const certificates = makeCertificateStore({ store, codec: fakePemCodec, signals, clock, log })
  const parts: KeyRegistryDependencies = {
    ...{ store, signals, clock, ids, log, settings, passwords },
    hasCertificate: async (id) => (await certificates.get(id)) !== undefined,
    policies: engine.policies,
    apis: engine.definitions,
    sessionCache: engine.sessionCache,
    keyLock: engine.keyLock,
    orgs: engine.orgs,
    ...given.parts,
  }
  const keys = new KeyRegistry(parts)
  const watch = makeStoreWatch(store, clock)
  const api = makeManagementApi({
    ...{ settings, keys, oauth, certificates, signals, clock, ids, log },
    options: { ...defaultManagementOptions, secret, ...given.options },
    orgs: makeOrgSessions(parts),
    policies: engine.policies,
    definitions: engine.definitions,
    files: filesIn(files),
    reloader: { reload: engine.reload, request: () => void engine.reload(), report: engine.report },
    group: {
      reload: () => signals.publish({ kind: 'reload' }),
      nodes: async () => [describeNode({ id: 'n1', host: 'test', startedAt: clock.now(), clock, engine })],
    },
    health: {
      storeCheck: watch.last,
      usesRedis: true,
      isStoreReachable: watch.isReachable,
      isLoaded: () => engine.report() !== undefined,
      of: counters.of,
    },
    findDefinitionProblems: engine.findDefinitionProblems,
    ...given.management,
  })

  return { api, engine, keys, clock, log, upstream, files, ...makeCalls(api, engine, settings.vendor) }
}

/** The calls of an administrator and of a client. */
function makeCalls(api: ManagementApi, engine: Engine, vendor: string): Pick<TestGateway, 'callOpen' | 'call' | 'ask'> {
  const callOpen: TestGateway['callOpen'] = async (method, path, body, headers = {}) => {
    const init: RequestInit = { method, headers }
    if (body !== undefined) init.body = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await api.fetch(new Request(`http://gateway.test${path}`, init))
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
  }
  return {
    callOpen,
    call: (method, path, body, headers) =>
      callOpen(method, path, body, { [`x-${vendor}-authorization`]: secret, ...headers }),
    async ask(path, key, method = 'GET') {
      const headers = key === undefined ? {} : { authorization: key }
      const response = await engine.handle(makeInjectedRequest({ url: path, method, headers }))
      return (await collectResponse(response)).status
    },
  }
}

const passwords = {
  hash: async (password: string) => `slow:${hashText(password, 'sha256')}`,
  matches: async (password: string, hash: string) => hash === `slow:${hashText(password, 'sha256')}`,
}

/** The files of the given definitions and policies. */
function filesOf({ apis = [], policies = [] }: TestGatewayOptions): Map<string, string> {
  const named = [
    ...apis.map((api) => [`apps/${(api as { api_id: string }).api_id}.json`, api] as const),
    ...policies.map((policy) => [`policies/${(policy as { id: string }).id}.json`, policy] as const),
  ]
  return new Map(named.map(([name, document]) => [name, JSON.stringify(document)]))
}

function sourceOf(files: ReadonlyMap<string, string>): DefinitionSource {
  const documentsIn = (folder: string): SourceDocument[] =>
    [...files]
      .filter(([name]) => name.startsWith(`${folder}/`))
      .map(([name, text]) => ({ name, hash: hashText(text, 'sha256'), text, problem: undefined }))
  return {
    async read() {
      return {
        definitions: pairSidecars(documentsIn('apps')),
        definitionsProblem: undefined,
        policies: { kind: 'folder', documents: documentsIn('policies'), problem: undefined },
      }
    },
  }
}

function filesIn(files: Map<string, string>): DefinitionStore {
  return {
    readDefinition: async (apiId) => files.get(`apps/${apiId}.json`),
    writeDefinition: async (apiId, text) => void files.set(`apps/${apiId}.json`, text),
    removeDefinition: async (apiId) => files.delete(`apps/${apiId}.json`),
    writePolicy: async (id, text) => void files.set(`policies/${id}.json`, text),
    removePolicy: async (id) => files.delete(`policies/${id}.json`),
  }
}
