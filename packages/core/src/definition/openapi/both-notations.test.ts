import { describe, expect, it } from 'vitest'
import { definitionOf, makeTestEngine, type TestEngine } from '../../../test/support/test-engine.ts'
import { collectResponse } from '../../engine/inject.ts'
import type { Json } from '../../lib/json.ts'
import { classicShape } from '../classic.ts'
import { fillExtension } from './fill-extension.ts'
import { pairSidecars } from './sidecar.ts'
import { toClassic } from './to-classic/to-classic.ts'

const responses = { 200: { description: 'ok' } }
const paths = {
  '/pets': { get: { operationId: 'list', responses }, post: { operationId: 'add', responses } },
  '/pets/{id}': { get: { operationId: 'one', responses }, delete: { operationId: 'remove', responses } },
  '/old': { get: { operationId: 'old', responses } },
}

const extension = {
  info: { id: 'p', name: 'p', orgId: 'org1', state: { active: true } },
  server: {
    listenPath: { value: '/p/', strip: true },
    authentication: {
      enabled: true,
      securitySchemes: { key: { enabled: true, header: { enabled: true, name: 'X-Key' } } },
    },
  },
  upstream: { url: 'http://upstream.test/base' },
  middleware: {
    global: { transformRequestHeaders: { enabled: true, add: [{ name: 'X-All', value: '1' }], remove: ['X-Gone'] } },
    operations: {
      remove: { block: { enabled: true } },
      list: { ignoreAuthentication: { enabled: true } },
      add: {
        transformRequestMethod: { enabled: true, toMethod: 'PUT' },
        rateLimit: { enabled: true, rate: 1, per: '1m' },
      },
      old: { urlRewrite: { enabled: true, pattern: '/old', rewriteTo: '/new' } },
    },
  },
}
const document: Json = {
  openapi: '3.0.3',
  info: { title: 'p', version: '1' },
  paths,
  security: [{ key: [] }],
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  'x-svc-api-gateway': extension,
}

/** The same API as a classic definition. */
const byHand = definitionOf('p', {
  use_keyless: false,
  use_standard_auth: true,
  auth_configs: { authToken: { auth_header_name: 'X-Key' } },
  proxy: { listen_path: '/p/', target_url: 'http://upstream.test/base', strip_listen_path: true },
  version_data: {
    not_versioned: true,
    versions: {
      Default: {
        name: 'Default',
        use_extended_paths: true,
        global_headers: { 'X-All': '1' },
        global_headers_remove: ['X-Gone'],
        extended_paths: {
          black_list: [{ path: '/pets/{id}', method: 'DELETE' }],
          ignored: [{ path: '/pets', method: 'GET' }],
          method_transforms: [{ path: '/pets', method: 'POST', to_method: 'PUT' }],
          rate_limit: [{ path: '/pets', method: 'POST', rate: 1, per: 60 }],
          url_rewrites: [{ path: '/old', method: 'GET', match_pattern: '/old', rewrite_to: '/new' }],
        },
      },
    },
  },
})

async function play(engine: TestEngine): Promise<unknown[]> {
  const session = { org_id: 'org1', access_rights: { p: { api_id: 'p', versions: ['Default'] } }, rate: 100, per: 60 }
  await engine.putKey('a-long-key', session)
  const key = { 'X-Key': 'a-long-key', 'X-Gone': 'x' }
  const responses: unknown[] = []
  for (const [method, path, headers] of [
    ['GET', '/p/pets', {}],
    ['GET', '/p/other', {}],
    ['GET', '/p/other', { 'X-Key': 'unknown' }],
    ['GET', '/p/other?q=1', key],
    ['DELETE', '/p/pets/7', key],
    ['POST', '/p/pets', key],
    ['POST', '/p/pets', key],
    ['GET', '/p/old', key],
  ] as const) {
    const response = await collectResponse(await engine.send(method, path, headers))
    responses.push([method, path, response.status, response.text()])
  }
  const forwarded = engine.upstreamRequests.map(({ method, path, headers }) => [method, path, headers.join(' ')])
  return [...responses, ...forwarded]
}

describe('one API in two notations', () => {
  it('sends the same responses and upstream requests', async () => {
    const classic = toClassic(document, extension)
    if (classic.problem !== undefined) throw new Error(classic.problem)
    const fromHand = await play(await makeTestEngine({ definitions: [byHand] }))
    const text = JSON.stringify(classicShape.write(classic.value))
    const engine = await makeTestEngine({
      engine: {
        source: {
          read: async () => ({
            definitions: pairSidecars([
              { name: 'p.json', hash: 'h', text, problem: undefined },
              { name: 'p-oas.json', hash: 'o', text: JSON.stringify(document), problem: undefined },
            ]),
            definitionsProblem: undefined,
            policies: { kind: 'none' },
          }),
        },
      },
    })
    const fromDocument = await play(engine)
    expect(fromDocument).toEqual(fromHand)
    expect(fromDocument.map((entry) => (entry as unknown[])[2]).slice(0, 8)).toEqual([
      200, 401, 403, 200, 403, 200, 429, 200,
    ])
  })
})

describe('a definition derived from a document', () => {
  it('is not served without the document, which can require further checks', async () => {
    const engine = await makeTestEngine({ definitions: [definitionOf('p', { is_oas: true })] })
    expect(engine.engine.report()?.failed[0]?.reason).toBe(
      'is_oas is true, but p-oas.json is missing in the same folder',
    )
  })
})

describe('a port of its own', () => {
  it('is set in the server section of a document, and returned there as it is served', () => {
    const server = { ...extension.server, port: 9001, protocol: 'h2c' }
    const derived = toClassic(document, { ...extension, server })
    expect(derived.problem).toBeUndefined()
    if (derived.problem !== undefined) return
    expect(derived.value).toMatchObject({ listenPort: 9001, protocol: 'h2c' })
    expect(fillExtension({ ...extension, server }, { ...derived.value, listenPort: 9002 })).toMatchObject({
      server: { port: 9002, protocol: 'h2c' },
    })
    expect(fillExtension(extension, { ...derived.value, listenPort: 0, protocol: '' })).not.toHaveProperty(
      'server.port',
    )
  })
})
