/**
 * Every kind of rule, in both notations, with each part that can be invalid, and the rights of keys: either the definition
 * does not load, with a message that names the part, or its requests are rejected. None reaches the upstream.
 */
import { describe, expect, it } from 'vitest'
import { documentOf, makeDocumentEngine } from '../../test/support/document-engine.ts'
import { definitionOf, makeTestEngine, type TestEngine, withPaths } from '../../test/support/test-engine.ts'
import { extendedPathsShape } from '../definition/version-shape.ts'

const rule = { path: '/x', method: 'GET' }
const brokenPath = { path: '/x(', method: 'GET' }
const template = (data: object) => ({ ...rule, template_data: { input_type: 'json', template_mode: 'blob', ...data } })
const rewrite = { ...rule, match_pattern: '.*', rewrite_to: '/y' }
const trigger = (options: object) => ({ ...rewrite, triggers: [{ on: 'any', rewrite_to: '/z', options }] })
const brokenMatch = { n: { match_rx: '(', reverse: false } }

/** Fields that make a rule of a list complete. */
const complete: Readonly<Record<string, object>> = {
  mock_response: { code: 200 },
  transform: template({}),
  transform_response: template({}),
  url_rewrites: rewrite,
  method_transforms: { to_method: 'POST' },
  validate_json: { schema: {} },
  rate_limit: { rate: 10, per: 1 },
  size_limits: { size_limit: 1 },
  hard_timeouts: { timeout: 1 },
}

const brokenParts: Readonly<Record<string, object>> = {
  'a rewrite with an invalid pattern': { url_rewrites: [{ ...rewrite, match_pattern: '(' }] },
  'a trigger on headers': { url_rewrites: [trigger({ header_matches: brokenMatch })] },
  'a trigger on the query': { url_rewrites: [trigger({ query_val_matches: brokenMatch })] },
  'a trigger on the path': { url_rewrites: [trigger({ path_part_matches: brokenMatch })] },
  'a trigger on metadata': { url_rewrites: [trigger({ session_meta_matches: brokenMatch })] },
  'a trigger on the context': { url_rewrites: [trigger({ request_context_matches: brokenMatch })] },
  'a trigger on the body': { url_rewrites: [trigger({ payload_matches: { match_rx: '(' } })] },
  'a schema with an unknown type': { validate_json: [{ ...rule, schema: { type: 'none' } }] },
  'a schema that is no schema': { validate_json: [{ ...rule, schema: 'x' }] },
  'a schema that is null': { validate_json: [{ ...rule, schema: null }] },
  'a schema with an invalid pattern': { validate_json: [{ ...rule, schema: { pattern: '(' } }] },
  'a schema with a reference to nowhere': { validate_json: [{ ...rule, schema: { $ref: '#/none' } }] },
  'a schema that is no base64': { validate_json: [{ ...rule, schema_b64: '%' }] },
  'a schema that is no JSON': { validate_json: [{ ...rule, schema_b64: 'ew==' }] },
  'an unknown method': { method_transforms: [{ ...rule, to_method: 'FETCH' }] },
  'a cache key': { advance_cache_config: [{ ...rule, cache_key_regex: '(' }] },
  'a plugin in Go': { go_plugin: [rule] },
  'a scripted endpoint without a script': { virtual: [{ ...rule, function_source_type: 'blob' }] },
  'a scripted endpoint without a source': { virtual: [{ ...rule, response_function_name: 'f' }] },
  'a scripted endpoint without its file': {
    virtual: [
      { ...rule, response_function_name: 'f', function_source_type: 'file', function_source_uri: 'middleware/no.js' },
    ],
  },
}

async function expectClosed({ engine, upstreamRequests, send }: TestEngine, path: string, part: string) {
  const { status } = await send('GET', path)
  expect(status).toBeGreaterThanOrEqual(400)
  expect(upstreamRequests).toHaveLength(0)
  const failed = engine.report()?.failed ?? []
  if (failed.length > 0) expect(JSON.stringify(failed)).toContain(part)
}

describe('a rule of a classic definition', () => {
  it.each(extendedPathsShape.wireNames)('closes its version if the path is no pattern: %s', async (list) => {
    const broken = list === 'cache' ? '/x(' : { ...complete[list], ...brokenPath }
    const engine = await makeTestEngine({ definitions: [definitionOf('a', withPaths({ [list]: [broken] }))] })
    await expectClosed(engine, '/a/x', list)
    expect(JSON.stringify(engine.logged)).toContain(list)
  })

  it.each(['ignored', 'white_list', 'black_list'])(
    'closes its version without extended paths too: %s',
    async (list) => {
      const versions = { Default: { name: 'Default', paths: { [list]: ['/x('] } } }
      const engine = await makeTestEngine({ definitions: [definitionOf('a', { version_data: { versions } })] })
      await expectClosed(engine, '/a/y', list)
    },
  )

  it.each(Object.entries(brokenParts))('closes its path: %s', async (_, lists) => {
    const engine = await makeTestEngine({ definitions: [definitionOf('a', withPaths(lists))] })
    await expectClosed(engine, '/a/x', '')
    expect((await engine.send('GET', '/a/other')).status).toBe(200)
  })

  it('does nothing if it is disabled', async () => {
    const lists = { black_list: [{ ...brokenPath, disabled: true }], url_rewrites: [{ ...rewrite, path: '/y' }] }
    const { send } = await makeTestEngine({ definitions: [definitionOf('a', withPaths(lists))] })
    expect((await send('GET', '/a/x')).status).toBe(200)
  })
})

const operationParts: Readonly<Record<string, object>> = {
  urlRewrite: { pattern: '(', rewriteTo: '/y' },
  transformRequestMethod: { toMethod: 'FETCH' },
  cache: { cacheByRegex: '(' },
  virtualEndpoint: { functionName: 'f', body: '%' },
  postPlugins: [{ enabled: true, functionName: 'F', path: 'f.so' }],
}

describe('a rule of a document', () => {
  const operation = { operationId: 'x', responses: { 200: { description: 'ok' } } }
  const engineOf = (operations: object, paths: object = { '/x': { get: operation } }) =>
    makeDocumentEngine(documentOf({ paths }, { middleware: { operations } }))

  it.each(Object.entries(operationParts))('closes its operation: %s', async (name, part) => {
    const engine = await engineOf({ x: { [name]: Array.isArray(part) ? part : { enabled: true, ...part } } })
    await expectClosed(engine, '/d/x', name)
  })

  it('closes its operation: a trigger', async () => {
    const rules = [{ in: 'header', name: 'a', pattern: '(' }]
    const triggers = [{ condition: 'any', rewriteTo: '/z', rules }]
    const engine = await engineOf({ x: { urlRewrite: { enabled: true, pattern: '.*', rewriteTo: '/y', triggers } } })
    await expectClosed(engine, '/d/x', 'trigger')
  })

  it.each(['block', 'transformRequestHeaders', 'requestSizeLimit', 'trackEndpoint', 'rateLimit'])(
    'closes its version if the path is no pattern: %s',
    async (name) => {
      const engine = await engineOf({ x: { [name]: { enabled: true } } }, { '/x(': { get: operation } })
      await expectClosed(engine, '/d/x', name)
    },
  )

  it.each([
    { type: 'none' },
    { enum: 'x' },
    { multipleOf: 0 },
    { maximum: 'x' },
    { pattern: '(' },
    { $ref: '#/none' },
    { allOf: [{ type: 'none' }] },
  ])('rejects every value of a parameter with the schema %j', async (schema) => {
    const parameters = [{ name: 'q', in: 'query', schema }]
    const paths = { '/x': { get: { ...operation, parameters } } }
    const engine = await engineOf({ x: { validateRequest: { enabled: true } } }, paths)
    await expectClosed(engine, '/d/x?q=1', 'q')
  })
})

describe('a script of a document that cannot run', () => {
  const entries = [{ enabled: true, functionName: 'guard', path: 'no.js' }]
  it.each([
    ['prePlugins', 'prePlugin'],
    ['postAuthenticationPlugins', 'postAuthenticationPlugin'],
    ['postPlugins', 'postPlugin'],
    ['responsePlugins', 'responsePlugin'],
  ])('closes the API, in the newer and the older form: %s', async (plugins, older) => {
    const forms = [{ [plugins]: entries }, { [older]: { plugins: entries } }]
    for (const global of [...forms, { [plugins]: [], [older]: { plugins: entries } }]) {
      for (const pluginConfig of [{}, { driver: 'otto' }, { driver: 'goplugin' }]) {
        const engine = await makeDocumentEngine(documentOf({}, { middleware: { global: { ...global, pluginConfig } } }))
        await expectClosed(engine, '/d/x', plugins)
      }
    }
  })
})

describe('a path in the rights of a key that is no pattern', () => {
  const limit = { rate: 10, per: 1 }
  it.each([
    ['allowed_urls', [{ url: '/x(', methods: ['GET'] }]],
    ['endpoints', [{ path: '/x(', methods: [{ name: 'GET', limit }] }]],
    ['restricted_types', 'Query'],
  ])('closes what it guards: %s', async (list, value) => {
    const graphql = { enabled: true, execution_mode: 'proxyOnly', schema: 'type Query { a: String }' }
    const more = { use_keyless: false, auth: { auth_header_name: 'Authorization' } }
    const definition = definitionOf('a', list === 'restricted_types' ? { ...more, graphql } : more)
    const test = await makeTestEngine({ definitions: [definition] })
    await test.putKey('org1abcd', { org_id: 'org1', access_rights: { a: { api_id: 'a', [list]: value } } })
    const query = list === 'restricted_types' ? '?query=%7Ba%7D' : ''
    const { status } = await test.send('GET', `/a/x${query}`, { authorization: 'abcd' })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(test.upstreamRequests).toHaveLength(0)
  })
})
