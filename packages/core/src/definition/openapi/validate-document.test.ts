import { describe, expect, it, vi } from 'vitest'
import type { Json } from '../../lib/json.ts'
import { validateDocument } from './validate-document.ts'

const extension = {
  info: { name: 'a', state: { active: true } },
  server: { listenPath: { value: '/a/' } },
  upstream: { url: 'http://upstream.test' },
}
const valid = { openapi: '3.0.3', info: { title: 'A', version: '1' }, paths: {}, 'x-svc-api-gateway': extension }
const reason = (more: object) => validateDocument({ ...valid, ...more }, 'svc')

describe('a document', () => {
  it.each(['3.0.0', '3.0.3', '3.1.0'])('of OpenAPI %s passes', async (openapi) => {
    expect(await reason({ openapi })).toBeUndefined()
  })

  it('of any length is checked to its end, however long that takes', async () => {
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      now += 1_000
      return now
    })
    const item = { get: { responses: { 200: { description: 'ok' } } } }
    const paths = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`/p${i}`, item]))
    expect(await reason({ paths })).toBeUndefined()
    expect(await reason({ paths: { ...paths, '/z': { get: { responses: 1 } } } })).toContain('paths./z.get.responses')
    clock.mockRestore()
  })

  it('must contain the extension of the vendor', async () => {
    expect(await validateDocument({}, 'acme')).toBe('the payload should contain x-acme-api-gateway')
  })

  it.each(['2.0', '3.2.0', '4.0'])('of version %s has no schema', async (openapi) => {
    expect(await reason({ openapi })).toBe(`Schema not found for version "${openapi}"`)
  })

  it('with an invalid version is rejected', async () => {
    expect(await reason({ openapi: 'abc' })).toBe('malformed version: abc')
    expect(await reason({ openapi: '' })).toContain('openapi: Does not match pattern')
  })

  it.each([
    [{ foo: 1 }, '(root): Additional property foo is not allowed'],
    [{ 'x-other': 1 }, undefined],
    [{ $schema: './node_modules/turnpike/schemas/openapi-extension.json' }, undefined],
    [
      { 'x-svc-api-gateway': { ...extension, info: { name: 'a', state: { active: 'yes' } } } },
      'x-svc-api-gateway.info.state.active: Invalid type. Expected: boolean, given: string',
    ],
    [{ 'x-svc-api-gateway': { ...extension, server: {} } }, 'x-svc-api-gateway.server: listenPath is required'],
    [{ info: { title: 'A', version: '' } }, 'invalid info: value of version must be a non-empty string'],
    [{ info: { title: 'A' } }, 'invalid info: value of version must be a non-empty string'],
    [{ info: { version: '1' } }, 'invalid info: value of title must be a non-empty string'],
    [{ info: {} }, 'invalid info: value of version must be a non-empty string'],
    [{ info: { title: 'A', version: '1', author: 'me' } }, 'info: Additional property author is not allowed'],
    [{ info: { title: 'A', version: '1', 'x-author': 'me', license: {} } }, undefined],
    [{ info: { title: 'A', version: '1', summary: 's' } }, 'info: Additional property summary is not allowed'],
    [{ openapi: '3.1.0', info: { title: 'A', version: '1', summary: 's' } }, undefined],
    [{ paths: { '/a': { get: {} } } }, 'paths./a.get.responses: Invalid type. Expected: object, given: null'],
    [{ openapi: '3.1.0', paths: { '/a': { get: {} } } }, undefined],
  ])('%j is reported as %s', async (more, message) => {
    expect(await reason(more)).toBe(message)
  })

  it.each([
    ['openapi', "openapi: Does not match pattern '^3\\.0\\.\\d(-.+)?$'"],
    ['info', 'info: Invalid type. Expected: object, given: null'],
    ['paths', 'paths: Invalid type. Expected: object, given: null'],
  ])('without %s is reported as %s', async (name, message) => {
    const { [name]: _, ...rest } = valid as Json
    expect(await validateDocument(rest, 'svc')).toBe(message)
  })

  it('must need each enabled method in a group', async () => {
    const withModes = (authentication: object) => ({
      security: [{ key: [] }],
      components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
      'x-svc-api-gateway': { ...extension, server: { ...extension.server, authentication } },
    })
    const on = { enabled: true }
    const compliant = { enabled: true, securityProcessingMode: 'compliant', hmac: on }
    expect(await reason(withModes({ ...compliant, custom: on }))).toBe(
      'invalid multi-auth configuration: hmac and custom auth methods enabled but not configured in a security requirement',
    )
    expect(await reason(withModes({ ...compliant, security: [['hmac', 'key']] }))).toBeUndefined()
    expect(await reason(withModes({ ...compliant, securityProcessingMode: 'legacy' }))).toBeUndefined()
    expect(await reason(withModes({ ...compliant, securityProcessingMode: 'loose' }))).toContain(
      '"legacy", "compliant"',
    )
  })
})

const operation = (more: object = {}) => ({ get: { responses: {}, ...more } })
const path = (name: string) => ({ name, in: 'path', required: true, schema: {} })

describe('path parameters', () => {
  it.each([
    [{ '/q/{id}': operation() }, 'missing: [id]'],
    [{ '/q/{id}': operation({ parameters: [path('id'), path('id')] }) }, 'twice: [id in path]'],
    [{ '/q/{id}/{id}': operation({ parameters: [path('id')] }) }, 'twice: [id]'],
    [{ '/q/{id}': operation({ parameters: [path('id'), path('no')] }) }, 'not in the path: [no]'],
  ])('%j: %s', async (paths, wrong) => {
    const [at] = Object.keys(paths)
    expect(await reason({ paths })).toBe(
      `invalid paths: operation GET ${at} must define exactly all path parameters (${wrong})`,
    )
  })

  it('can belong to the path, or replace one of the path', async () => {
    const paths = { '/q/{id}': { parameters: [path('id')], ...operation({ parameters: [path('id')] }) } }
    expect(await reason({ paths })).toBeUndefined()
    expect(await reason({ paths: { '/f/{a}.{b}': operation({ parameters: [path('a'), path('b')] }) } })).toBeUndefined()
  })
})

describe('the security of a document', () => {
  const key = { type: 'apiKey', in: 'header', name: 'X-Doc' }
  const jwt = { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }
  const token = { enabled: true, source: 'c2VjcmV0', header: { enabled: true, name: 'Authorization' } }
  const documentWith = (schemes: object, own: object, security: object, mode: object = {}) => ({
    security,
    components: { securitySchemes: schemes },
    'x-svc-api-gateway': {
      ...extension,
      server: { ...extension.server, authentication: { enabled: true, securitySchemes: own, ...mode } },
    },
  })

  it.each([
    [{ t: key }, { t: { enabled: true } }, [{ nope: [] }], {}, 'security requires "nope", which components'],
    [{}, { t: { enabled: true } }, [{ t: [] }], {}, 'securitySchemes.t is enabled, but components.securitySchemes'],
    [
      { t: jwt },
      { t: { ...token, header: undefined } },
      [{ t: [] }],
      {},
      'securitySchemes.t does not say where the token is',
    ],
    [
      { t: key, j: jwt },
      { t: { enabled: true }, j: token },
      [{ t: [] }],
      { securityProcessingMode: 'compliant' },
      'j auth enabled but not configured in a security requirement',
    ],
    [{ t: { type: 'http', scheme: 'Basic' } }, { t: token }, [{ t: [] }], {}, 'invalid value "Basic"; write basic'],
  ])('%j with %j and %j is rejected', async (schemes, own, security, mode, message) => {
    // As the JSON of a body, without members that are undefined.
    const document = JSON.parse(JSON.stringify(documentWith(schemes, own, security, mode)))
    expect(await reason(document)).toContain(message)
  })

  it('is accepted if it is consistent', async () => {
    expect(
      await reason(documentWith({ t: key, j: jwt }, { t: { enabled: true }, j: token }, [{ t: [], j: [] }])),
    ).toBeUndefined()
  })
})

describe('the schema of the extension', () => {
  const operations = (part: object) => ({ middleware: { operations: { a: part } } })

  it.each([
    [
      operations({ rateLimit: { enabled: true, rate: 1, per: '10' } }),
      'operations.a.rateLimit.per: Does not match pattern',
    ],
    [
      operations({ block: { enabled: 'yes' } }),
      'operations.a.block.enabled: Invalid type. Expected: boolean, given: string',
    ],
    [operations({ block: {} }), 'operations.a.block: enabled is required'],
    [
      operations({
        urlRewrite: { enabled: true, triggers: [{ condition: 'any', rules: [{ in: 'body', pattern: 'a' }] }] },
      }),
      'rules.0.in: x-svc-api-gateway.middleware.operations.a.urlRewrite.triggers.0.rules.0.in must be one of',
    ],
    [
      operations({ mockResponse: { enabled: true, fromOASExamples: { enabled: true, contentType: null } } }),
      'fromOASExamples.contentType: Invalid type. Expected: string, given: null',
    ],
    [{ server: { ...extension.server, port: 0 } }, 'server.port: Must be greater than or equal to 1'],
  ])('rejects %j', async (part, message) => {
    expect(await reason({ 'x-svc-api-gateway': { ...extension, ...part } })).toContain(message)
  })

  it('accepts members that it does not know', async () => {
    expect(
      await reason({ 'x-svc-api-gateway': { ...extension, ...operations({ blok: { enabled: 1 } }) } }),
    ).toBeUndefined()
  })
})
