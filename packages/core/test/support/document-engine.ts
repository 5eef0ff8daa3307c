/** A test engine that serves OpenAPI documents or MCP proxies from pairs of files. */
import { toMcpClassic } from '../../src/definition/mcp/to-mcp-classic.ts'
import { pairSidecars, type SidecarKind, sidecarNameOf } from '../../src/definition/openapi/sidecar.ts'
import { toClassic } from '../../src/definition/openapi/to-classic/to-classic.ts'
import { printDefinition } from '../../src/definition/wire-definition.ts'
import type { EngineOptions } from '../../src/engine/engine-options.ts'
import type { Json } from '../../src/lib/json.ts'
import { makeTestEngine, type TestEngine, type TestEngineOptions } from './test-engine.ts'

export interface DocumentEngineOptions extends TestEngineOptions {
  readonly kind?: SidecarKind
  /** Fields of the definition file that differ from the ones derived from the document. */
  readonly classic?: Json
}

/** A document with this extension for the API `d` at `/d/`, whose upstream is `http://upstream.test`. */
export function documentOf(more: Json = {}, { server, ...extension }: { readonly server?: Json } & Json = {}): Json {
  return {
    openapi: '3.0.3',
    info: { title: 'd', version: '1' },
    paths: {},
    ...more,
    'x-svc-api-gateway': {
      info: { id: 'd', name: 'd', orgId: 'org1', state: { active: true } },
      upstream: { url: 'http://upstream.test' },
      ...extension,
      server: { listenPath: { value: '/d/', strip: true }, ...server },
    },
  }
}

/** An engine that serves this document, with the definition that is derived from it. */
export function makeDocumentEngine(document: Json, options: DocumentEngineOptions = {}): Promise<TestEngine> {
  const { kind = 'oas', classic = {}, ...rest } = options
  return makeTestEngine({ ...rest, engine: { ...servingDocument(document, kind, classic), ...rest.engine } })
}

/** The source of an engine that serves this document; `classic` overrides fields of the derived definition. */
export function servingDocument(document: Json, kind: SidecarKind, classic: Json = {}): Pick<EngineOptions, 'source'> {
  const extension = document['x-svc-api-gateway'] as Json
  const derived = kind === 'mcp' ? toMcpClassic(document, extension) : toClassic(document, extension)
  if (derived.problem !== undefined) throw new Error(derived.problem)
  const definition = { ...(JSON.parse(printDefinition(derived.value)) as Json), ...classic }
  const definitions = pairSidecars([
    { name: 'd.json', hash: 'h', text: JSON.stringify(definition), problem: undefined },
    { name: `${sidecarNameOf('d', kind)}.json`, hash: 'o', text: JSON.stringify(document), problem: undefined },
  ])
  const snapshot = { definitions, definitionsProblem: undefined, policies: { kind: 'none' } } as const
  return { source: { read: () => Promise.resolve(snapshot) } }
}
