/** A test engine with a memory store, a manually advanced clock and a fake upstream. */

import type { SourceDocument, SourceSnapshot } from '../../src/definition/definition-source.ts'
import { type Engine, makeEngine } from '../../src/engine/engine.ts'
import type { EngineOptions } from '../../src/engine/engine-options.ts'
import type { HeaderPairs } from '../../src/http/headers.ts'
import type { GatewayRequest, GatewayResponse } from '../../src/http/messages.ts'
import { readShape } from '../../src/lib/shape/shape.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Log, LogFields } from '../../src/ports/log.ts'
import type { Session } from '../../src/ports/session.ts'
import { sessionShape } from '../../src/ports/session.ts'
import type { GatewaySettings } from '../../src/ports/settings.ts'
import type { UpstreamError, UpstreamRequest, UpstreamResponse } from '../../src/ports/upstream.ts'
import { makeMemoryStore } from '../../src/store-memory/memory-store.ts'
import { makeMemorySignals } from '../../src/store-memory/signals-memory.ts'
import { testTokenVerifier } from './jwt/test-token-verifier.ts'
import { plainSettings } from './test-settings.ts'

export interface TestEngine {
  readonly engine: Engine
  readonly store: ReturnType<typeof makeMemoryStore>
  /** Requests that the upstream received, in order. */
  readonly upstreamRequests: UpstreamRequest[]
  readonly logged: { readonly level: string; readonly message: string; readonly fields: LogFields | undefined }[]
  /** Definitions and policies of the next reload, by file name. */
  readonly files: { definitions: Map<string, string>; policies: string | undefined }
  advance(ms: number): void
  /** Stores a session given in wire form. */
  putKey(name: string, wire: object): Promise<void>
  send(method: string, path: string, headers?: Record<string, string>): Promise<GatewayResponse>
}

export interface TestEngineOptions {
  readonly definitions?: readonly object[]
  readonly policies?: object
  readonly settings?: Partial<GatewaySettings>
  readonly upstream?: (request: UpstreamRequest) => Promise<UpstreamResponse | UpstreamError>
  readonly engine?: Partial<EngineOptions>
  /** Creates further engine options from the ones already built. */
  readonly attach?: (parts: EngineOptions) => Pick<EngineOptions, 'endpoints' | 'clientExists'>
}

export async function makeTestEngine(options: TestEngineOptions = {}): Promise<TestEngine> {
  let now = Date.UTC(2026, 0, 1)
  const clock: Clock = {
    now: () => now,
    after: () => () => {},
    breathe: () => Promise.resolve(),
  }
  const store = makeMemoryStore({ clock })
  const upstreamRequests: UpstreamRequest[] = []
  const logged: TestEngine['logged'] = []
  const files: TestEngine['files'] = {
    definitions: new Map((options.definitions ?? []).map((one, i) => [fileNameOf(one, i), JSON.stringify(one)])),
    policies: options.policies === undefined ? undefined : JSON.stringify(options.policies),
  }
  const parts: EngineOptions = {
    clock,
    store,
    signals: makeMemorySignals(),
    upstream: {
      connect: () => ({
        send(request) {
          upstreamRequests.push(request)
          return options.upstream?.(request) ?? Promise.resolve(plainResponse)
        },
        release() {},
      }),
      close: () => Promise.resolve(),
    },
    log: collectingLog(logged),
    ids: { uuid: () => '0'.repeat(32) },
    passwords: { hash: (text) => Promise.resolve(text), matches: (text, hash) => Promise.resolve(text === hash) },
    tokenVerifier: testTokenVerifier,
    settings: { ...plainSettings, ...options.settings },
    source: { read: () => Promise.resolve(snapshotOf(files)) },
    ...options.engine,
  }
  const engine = makeEngine({ ...parts, ...options.attach?.(parts) })
  await engine.reload()
  return {
    engine,
    store,
    upstreamRequests,
    logged,
    files,
    advance(ms) {
      now += ms
    },
    async putKey(name, wire) {
      const session: Session = readShape(sessionShape, wire).value
      await store.sessions.put(name, session)
      engine.sessionCache.forget(name)
    },
    send: async (method, path, headers = {}) => engine.handle(requestOf(method, path, headers)),
  }
}

/** A keyless definition; `more` overrides its fields. */
export function definitionOf(id: string, more: object = {}): object {
  return {
    name: id,
    api_id: id,
    org_id: 'org1',
    use_keyless: true,
    version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
    proxy: { listen_path: `/${id}/`, target_url: 'http://upstream.test', strip_listen_path: true },
    ...more,
  }
}

/** The member `version_data` of an API with these lists of `extended_paths`. */
export function withPaths(extendedPaths: object): object {
  const version = { name: 'Default', use_extended_paths: true, extended_paths: extendedPaths }
  return { version_data: { not_versioned: true, versions: { Default: version } } }
}

export function requestOf(method: string, url: string, headers: Record<string, string> = {}): GatewayRequest {
  const [path = '/', query = ''] = url.split('?', 2)
  const pairs: HeaderPairs = Object.entries(headers).flatMap(([name, value]) => [name.toLowerCase(), value])
  return {
    method,
    path,
    query,
    headers: pairs,
    remoteAddress: '192.0.2.1',
    secure: false,
    body: undefined,
    bodyLength: 0,
    onAbort() {},
  }
}

const plainResponse: UpstreamResponse = {
  kind: 'response',
  status: 200,
  headers: ['content-type', 'text/plain'],
  body: new Uint8Array([111, 107]),
  bodyLength: 2,
}

function fileNameOf(definition: object, i: number): string {
  const { api_id: id } = definition as { api_id?: string }
  return `${id ?? i}.json`
}

function snapshotOf(files: TestEngine['files']): SourceSnapshot {
  const document = (name: string, text: string): SourceDocument => ({ name, text, hash: text, problem: undefined })
  return {
    definitions: [...files.definitions].map(([name, text]) => document(name, text)),
    definitionsProblem: undefined,
    policies:
      files.policies === undefined
        ? { kind: 'none' }
        : { kind: 'map', document: document('policies.json', files.policies) },
  }
}

function collectingLog(logged: TestEngine['logged']): Log {
  const at = (level: string) => (message: string, fields?: LogFields) => {
    logged.push({ level, message, fields })
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
