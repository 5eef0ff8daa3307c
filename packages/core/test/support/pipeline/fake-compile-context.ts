/**
 * Compile contexts and requests for tests of stages: a classic definition is normalised as during loading, and fake
 * services record their calls. Not part of the package's surface.
 */

import { classicShape } from '../../../src/definition/classic.ts'
import { normaliseDefinition } from '../../../src/definition/normalise.ts'
import { streamOf } from '../../../src/http/byte-stream.ts'
import type { HeaderPairs } from '../../../src/http/headers.ts'
import type { GatewayRequest } from '../../../src/http/messages.ts'
import { readShape } from '../../../src/lib/shape/shape.ts'
import { utf8Bytes } from '../../../src/lib/text/utf8.ts'
import { RequestContext } from '../../../src/pipeline/contract/request-context.ts'
import type { CompileContext } from '../../../src/pipeline/contract/stage.ts'
import type { StageServices } from '../../../src/pipeline/contract/stage-services.ts'
import { makeRejectionRenderer } from '../../../src/pipeline/errors/render-rejections.ts'
import type { Log } from '../../../src/ports/log.ts'
import type { GatewaySettings } from '../../../src/ports/settings.ts'

export interface FakeCompileContext extends CompileContext {
  /** Logged warnings. */
  readonly warnings: string[]
}

export interface FakeOptions {
  readonly settings?: Partial<GatewaySettings>
  readonly routing?: Partial<GatewaySettings['routing']>
  readonly services?: Partial<StageServices>
}

type Json = Readonly<Record<string, unknown>>

/** The compile context of an API with one version; `version` and `paths` are fields of that version. */
export function fakeCompileContext(
  api: Json,
  version: Json = {},
  paths: Json = {},
  options: FakeOptions = {},
): FakeCompileContext {
  const document = {
    api_id: 'a1',
    name: 'a1',
    use_keyless: true,
    proxy: { listen_path: '/a/', target_url: 'http://up.test', strip_listen_path: true },
    version_data: {
      not_versioned: true,
      versions: { Default: { name: 'Default', use_extended_paths: true, ...version, extended_paths: paths } },
    },
    ...api,
  }
  const read = readShape(classicShape, document)
  if (!read.readable) throw new Error(`the test's definition is invalid: ${JSON.stringify(read.problems)}`)
  const definition = normaliseDefinition(read.value, { source: 'a1.json', hash: 'h' })
  const first = definition.versions.values().next().value
  if (first === undefined) throw new Error("the test's definition has no version")
  const warnings: string[] = []
  return { api: definition, version: first, services: fakeServices(warnings, options), warnings }
}

const routing: GatewaySettings['routing'] = {
  strictRoutes: false,
  skipUrlCleaning: false,
  pathPrefixMatching: false,
  pathSuffixMatching: false,
  ignoreEndpointCase: false,
  xffDepth: 0,
}

/** Contains only the services that stages of these phases use. */
function fakeServices(warnings: string[], options: FakeOptions): StageServices {
  const settings = {
    vendor: 'svc',
    versionText: 'v1',
    hideGeneratorHeader: false,
    maxBodyBytes: 0,
    undeclaredResponseProcessors: 'skip',
    headers: { recorded: 'quotas', ietf: false, version: '' },
    ...options.settings,
    routing: { ...routing, ...options.routing },
  } as GatewaySettings
  const keep = (message: string) => {
    warnings.push(message)
  }
  const log: Log = { debug() {}, info() {}, warn: keep, error: keep }
  return {
    settings,
    log,
    errors: makeRejectionRenderer(settings),
    records: [],
    ...options.services,
  } as unknown as StageServices
}

export interface FakeRequest {
  readonly method?: string
  /** Path and query below the listen path, or a complete path that starts with it. */
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly remoteAddress?: string
  readonly now?: number
}

/** The context of a request to `/a/…`, as the router would make it. Content-Length is set by default. */
export function fakeContext(compileContext: CompileContext, given: FakeRequest = {}): RequestContext {
  const url = given.url ?? '/x'
  const prefix = compileContext.api.listenPath.replace(/\/$/, '')
  const whole = url.startsWith(`${prefix}/`) ? url : `${prefix}${url}`
  const [path = '', query = ''] = splitOnce(whole, '?')
  const inner = path.slice(prefix.length)
  const bytes = given.body === undefined ? undefined : utf8Bytes(given.body)
  const headers: HeaderPairs = Object.entries(given.headers ?? {}).flatMap(([name, value]) => [
    name.toLowerCase(),
    value,
  ])
  if (bytes !== undefined && !headers.includes('content-length')) headers.push('content-length', String(bytes.length))
  const request: GatewayRequest = {
    method: given.method ?? 'GET',
    path,
    query,
    headers,
    remoteAddress: given.remoteAddress ?? '127.0.0.1',
    secure: false,
    body: bytes === undefined ? undefined : streamOf(bytes),
    bodyLength: bytes?.length ?? 0,
    onAbort() {},
  }
  const outgoingPath = compileContext.api.document.proxy.stripListenPath ? inner : path
  return new RequestContext(
    request,
    compileContext.api,
    compileContext.version,
    inner,
    inner,
    outgoingPath,
    given.now ?? 0,
    undefined,
  )
}

function splitOnce(text: string, at: string): [string, string] {
  const index = text.indexOf(at)
  return index === -1 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)]
}
