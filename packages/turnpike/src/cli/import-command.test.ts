import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { main } from './main.ts'
import { makeTestIo } from './test-io.ts'

const document = {
  openapi: '3.1.0',
  info: { title: 'Orders API', version: '1' },
  servers: [{ url: 'https://{region}.example.com/v1', variables: { region: { default: 'eu' } } }, { url: '/v2' }],
  security: [{ login: ['read'] }, { key: [] }],
  webhooks: {},
  'x-owner': 'team',
  paths: {
    '/orders': {
      get: { operationId: 'list', security: [], responses: { 200: { description: 'ok' } } },
      post: {
        callbacks: {},
        requestBody: { content: {} },
        responses: { 201: { description: 'made', content: { 'application/json': { example: { id: 1 } } } } },
      },
    },
  },
  components: {
    securitySchemes: {
      login: { type: 'oauth2', flows: {} },
      key: { type: 'apiKey', in: 'query', name: 'k' },
    },
  },
}

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-import-'))
  mkdirSync(join(folder, 'apps'))
  write('gateway.json', { listen_address: '127.0.0.1', hash_key_function: 'sha256', hash_keys: true, secret: 's' })
  write('orders.json', document)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, content: unknown): void {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
}

async function run(...args: string[]) {
  const io = makeTestIo({ cwd: folder })
  const code = await main(args, io)
  return { code, out: io.printed.join('\n'), err: io.errorLines.join('\n') }
}

const files = () => readdirSync(join(folder, 'apps')).sort()
const read = (name: string) => JSON.parse(readFileSync(join(folder, 'apps', name), 'utf8'))

describe('turnpike import', () => {
  it('writes a definition and reports everything that it ignores', async () => {
    const { code, out } = await run('import', 'orders.json')
    expect(code).toBe(0)
    expect(out.split('\n')).toEqual([
      'orders.json: 2 operations as API orders-api ("Orders API")',
      '  /orders-api/ -> https://eu.example.com/v1, by the security of the document',
      'ignored or different:',
      '  servers[1]                        is not used: requests go to the first server; --target names another',
      '  servers[0].variables              have their default values: region',
      '  security[1]                       is not used: only the first entry applies, not its alternatives',
      '  components.securitySchemes.login  has the type "oauth2", which needs settings: server.authentication of the extension',
      '  security                          of single operations is not used: GET /orders',
      '  paths                             parameters and bodies are not checked; --validate rejects what does not fit',
      '  paths                             examples are not used as responses; --mock responds with them',
      '  paths                             paths outside the document are forwarded too; --allow-list rejects them',
      '  webhooks                          have no effect',
      '  callbacks                         have no effect: POST /orders',
      '  x-owner                           is an extension that has no effect',
      'wrote apps/orders-api.json',
      'wrote apps/orders-api-oas.json',
    ])
    expect(files()).toEqual(['orders-api-oas.json', 'orders-api.json'])
    expect(read('orders-api.json')).toMatchObject({
      api_id: 'orders-api',
      is_oas: true,
      proxy: { listen_path: '/orders-api/', target_url: 'https://eu.example.com/v1', strip_listen_path: true },
    })
    expect(read('orders-api.json').$schema).toMatch(/classic-api\.json$/)
    expect((await run('check')).out).toContain('1 definition and 0 policies checked: 0 errors')
  })

  it('follows its options', async () => {
    const options = ['--id', 'o', '--name', 'Shop', '--listen-path', '/shop/', '--target', 'http://127.0.0.1:9/x']
    const more = ['--org', 'acme', '--auth', 'key', '--validate', '--mock', '--allow-list', '--out', 'elsewhere']
    const { code, out } = await run('import', 'orders.json', ...options, ...more, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      id: 'o',
      auth: 'key',
      written: ['elsewhere/o.json', 'elsewhere/o-oas.json'],
    })
    expect(read('../elsewhere/o.json')).toMatchObject({
      name: 'Shop',
      org_id: 'acme',
      use_standard_auth: true,
      auth_configs: { authToken: { auth_header_name: 'Authorization' } },
      proxy: { listen_path: '/shop/', target_url: 'http://127.0.0.1:9/x' },
    })
    const { operations } = read('../elsewhere/o-oas.json')['x-svc-api-gateway'].middleware
    expect(operations).toEqual({
      list: { allow: { enabled: true }, mockResponse: { enabled: true, code: 200, body: '', headers: [] } },
      orderspost: {
        allow: { enabled: true },
        validateRequest: { enabled: true, errorResponseCode: 422 },
        mockResponse: {
          enabled: true,
          fromOASExamples: { enabled: true, code: 201, contentType: 'application/json' },
        },
      },
    })
  })

  it('writes nothing with --dry-run, and overwrites only with --replace', async () => {
    expect((await run('import', 'orders.json', '--dry-run')).out).toContain('would write apps/orders-api.json')
    expect(files()).toEqual([])
    await run('import', 'orders.json')
    const again = await run('import', 'orders.json', '--auth', 'none')
    expect(again).toMatchObject({ code: 1, out: '' })
    expect(again.err).toContain('nothing was written, because these files exist: apps/orders-api.json')
    expect((await run('import', 'orders.json', '--auth', 'none', '--replace')).code).toBe(0)
    expect(read('orders-api.json').use_keyless).toBe(true)
  })

  it('reports a listen path that another definition has', async () => {
    await run('import', 'orders.json')
    const { code, err } = await run('import', 'orders.json', '--id', 'second', '--listen-path', '/orders-api/')
    expect(code).toBe(1)
    expect(err).toMatch(/second\.json.*error {2}proxy\.listen_path: .*is wanted by orders-api\.json too/)
  })

  it('downloads a document, and resolves relative servers against its URL', async () => {
    const text = JSON.stringify({ ...document, servers: [{ url: '/v2' }], security: [] })
    const server = createServer((request, response) => {
      response.statusCode = request.url === '/api/orders.yaml' ? 200 : 404
      response.end(text)
    }).listen(0, '127.0.0.1')
    await expect.poll(() => server.address()).not.toBeNull()
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
    try {
      expect((await run('import', `${url}/api/orders.yaml`)).code).toBe(0)
      expect(read('orders-api.json').proxy.target_url).toBe(`${url}/v2`)
      const missing = await run('import', `${url}/none`)
      expect(missing).toMatchObject({ code: 2, err: expect.stringContaining('the server responded with 404') })
    } finally {
      server.close()
    }
  })

  it.each<[string, unknown, string[], number, RegExp]>([
    ['no file', undefined, ['none.yaml'], 2, /none\.yaml: does not exist/],
    ['no OpenAPI', { api_id: 'x' }, ['x.json'], 1, /it has no member "openapi"/],
    ['a definition', { api_id: 'x', proxy: {} }, ['x.json'], 1, /is an API definition, .* needs no import/],
    ['invalid YAML', 'openapi: 3.0.3\ninfo: [\n', ['x.json'], 1, /x\.json: line \d, column \d+: /],
    ['a document without servers', { ...document, servers: [] }, ['x.json'], 1, /names no upstream.*--target URL/],
    ['an invalid document', { ...document, info: {} }, ['x.json'], 1, /version must be a non-empty string/],
    ['a relative target', document, ['x.json', '--target', 'here'], 2, /--target must be an absolute URL/],
    ['a relative listen path', document, ['x.json', '--listen-path', 'a'], 2, /--listen-path begins with a slash/],
    ['an id with a slash', document, ['x.json', '--id', '../a'], 2, /--id "\.\.\/a" must consist of/],
    ['an unknown method', document, ['x.json', '--auth', 'magic'], 2, /Allowed choices are document, key, none/],
    ['no configuration', document, ['x.json', '--conf', 'none.json'], 2, /does not exist/],
  ])('rejects %s', async (_name, content, args, code, message) => {
    if (content !== undefined) write('x.json', content)
    const result = await run('import', ...args)
    expect(result.code).toBe(code)
    expect(result.err).toMatch(message)
    expect(files()).toEqual([])
  })
})

describe('files in the folder of definitions that are no definitions', () => {
  it('are reported by check with the command that converts them', async () => {
    write('apps/plain.json', document)
    write('apps/plain.yaml', 'openapi: 3.0.3\n')
    write('apps/notes.yml', 'a: 1\n')
    write('apps/lost-oas.json', document)
    const { code, out } = await run('check')
    expect(code).toBe(1)
    expect(out).toMatch(
      /plain\.json:1:1 {2}error {2}\(document\): is an OpenAPI document, .*turnpike import \S+\/apps\/plain\.json/,
    )
    expect(out).toMatch(/plain\.yaml {2}warning {2}is an OpenAPI document in YAML .*turnpike import \S+plain\.yaml/)
    expect(out).toMatch(/notes\.yml {2}warning {2}is not read: it contains no definition/)
    expect(out).toMatch(/lost-oas\.json {2}warning {2}is not served, because its definition lost\.json is missing/)
  })

  it('are reported at the start', async () => {
    write('apps/plain.json', document)
    write('apps/plain.yaml', 'openapi: 3.0.3\n')
    write('gateway.json', { listen_address: '127.0.0.1', listen_port: 0, secret: 's', storage: { type: 'memory' } })
    const io = makeTestIo({ cwd: folder })
    const ended = main(['start'], io)
    const text = () => [...io.printed, ...io.errorLines].join('\n')
    await expect
      .poll(text, { timeout: 10_000 })
      .toMatch(/plain\.json:1:1 is an OpenAPI document, .*turnpike import \S+\/apps\/plain\.json/)
    expect(text()).toMatch(/plain\.yaml {2}warning {2}is an OpenAPI document in YAML/)
    io.stop()
    await ended
  })
})
