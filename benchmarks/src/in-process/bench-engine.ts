/** An engine on the memory store without sockets, whose last stage responds at once, to measure the decision path. */

import { systemClock } from '@turnpike/adapters/clock-system'
import { fastJwtVerifier } from '@turnpike/adapters/token-verifier-fast-jwt'
import { type PolicySource, pairSidecars, type SourceDocument } from '@turnpike/core/definition'
import { type Engine, type EngineOptions, makeEngine } from '@turnpike/core/engine'
import type { GatewayRequest } from '@turnpike/core/http'
import { readShape } from '@turnpike/core/lib'
import { type StageOrder, stageOrder } from '@turnpike/core/pipeline'
import { type Clock, defaultSettings, type GatewaySettings, sessionShape } from '@turnpike/core/ports'
import { makeMemorySignals, makeMemoryStore } from '@turnpike/core/store-memory'
import { defaultOAuthSettings, makeBatchEndpoint, makeOAuth, type OAuth } from '@turnpike/mgmt-api'

export interface BenchEngine {
  readonly engine: Engine
  readonly oauth: OAuth
  readonly documents: Map<string, SourceDocument>
  putKey(name: string, wire: object): Promise<void>
  putOrg(id: string, wire: object): Promise<void>
}

export interface BenchEngineOptions {
  readonly clock?: Clock
  readonly settings?: Partial<GatewaySettings>
  /** Optional ports. */
  readonly parts?: Partial<EngineOptions>
  /** OpenAPI documents by API id. */
  readonly documents?: Readonly<Record<string, object>>
  /** Policies by id. Default: none. */
  readonly policies?: Readonly<Record<string, object>>
  /** Response of the last stage. Default: a short text. */
  readonly answer?: { readonly type: string; readonly body: string }
  /** Stages before the last one. Default: all. */
  readonly order?: StageOrder
}

const answerAtOnce = ({ type, body } = { type: 'text/plain', body: 'ok' }): StageOrder['stages'][number] => ({
  name: 'answer-at-once',
  phase: '5-respond',
  make: () => ({ run: () => ({ status: 200, headers: ['content-type', type], body }) }),
})

export async function makeBenchEngine(
  definitions: readonly object[],
  options: BenchEngineOptions = {},
): Promise<BenchEngine> {
  const { clock = systemClock, order = stageOrder } = options
  const store = makeMemoryStore({ clock })
  const documents = new Map(definitions.map((one) => documentOf(one)).map((one) => [one.name, one]))
  for (const [id, document] of Object.entries(options.documents ?? {})) {
    const name = `${id}-oas.json`
    documents.set(name, { name, text: JSON.stringify(document), hash: name, problem: undefined })
  }
  const parts: EngineOptions = {
    clock,
    store,
    signals: makeMemorySignals(),
    upstream: {
      connect: () => ({ send: () => Promise.reject(new Error('not used')), release() {} }),
      close: async () => {},
    },
    log: { debug() {}, info() {}, warn() {}, error: (message, fields) => console.error(message, fields) },
    ids: { uuid: () => '0'.repeat(32) },
    passwords: { hash: async (text) => text, matches: async (text, hash) => text === hash },
    tokenVerifier: fastJwtVerifier,
    settings: { ...defaultSettings, ...options.settings },
    source: {
      read: async () => ({
        definitions: pairSidecars([...documents.values()]),
        definitionsProblem: undefined,
        policies: policiesOf(options.policies),
      }),
    },
    order: { ...order, stages: [...order.stages.slice(0, -1), answerAtOnce(options.answer)] },
    ...options.parts,
  }
  const oauth = makeOAuth({ ...parts, oauth: defaultOAuthSettings, engine: () => engine })
  const engine: Engine = makeEngine({
    ...parts,
    endpoints: [makeBatchEndpoint()],
    clientExists: oauth.clientExists,
  })
  await engine.reload()
  return {
    engine,
    oauth,
    documents,
    async putKey(name, wire) {
      await store.sessions.put(name, readShape(sessionShape, wire).value)
    },
    async putOrg(id, wire) {
      await store.organisations.put(id, readShape(sessionShape, wire).value)
    },
  }
}

function policiesOf(policies: BenchEngineOptions['policies']): PolicySource {
  if (policies === undefined) return { kind: 'none' }
  const text = JSON.stringify(policies)
  return { kind: 'map', document: { name: 'policies.json', text, hash: text, problem: undefined } }
}

export function documentOf(definition: object, revision = 0): SourceDocument {
  const { api_id: id } = definition as { api_id: string }
  const text = JSON.stringify(definition)
  return { name: `${id}.json`, text, hash: `${text.length}-${revision}-${id}`, problem: undefined }
}

export function requestFor(path: string, key?: string): GatewayRequest {
  return {
    method: 'GET',
    path,
    query: '',
    headers: [
      'host',
      'localhost',
      'user-agent',
      'bench',
      'accept',
      '*/*',
      ...(key === undefined ? [] : ['authorization', key]),
    ],
    remoteAddress: '127.0.0.1',
    secure: false,
    body: undefined,
    bodyLength: 0,
    onAbort() {},
  }
}
