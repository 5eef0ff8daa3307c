/** The published JSON Schemas accept what the gateway accepts and help in an editor. */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type Diagnostic, getLanguageService, TextDocument } from 'vscode-json-languageservice'

const root = join(import.meta.dirname, '../..')
const schemaFolder = join(root, 'packages/turnpike/schemas')
const { Ajv } = createRequire(join(root, 'packages/core/package.json'))('ajv')
const ajv = new Ajv({ strict: false, allErrors: true })

type SchemaName = 'gateway' | 'classic-api' | 'openapi-extension' | 'policies' | 'key' | 'seed'
const names: readonly SchemaName[] = ['gateway', 'classic-api', 'openapi-extension', 'policies', 'key', 'seed']
const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
const validators = Object.fromEntries(
  names.map((name) => [name, ajv.compile(readJson(join(schemaFolder, `${name}.json`)))]),
)

/** Errors of a document as `path message`. */
function errorsOf(name: SchemaName, document: unknown): readonly string[] {
  const validate = validators[name]
  if (validate(document)) return []
  return validate.errors.map(
    ({ instancePath, message, params }: { instancePath: string; message: string; params: object }) =>
      `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

describe('the schemas accept', () => {
  const company = join(root, 'fixtures/company')
  const filesOf = (folder: string) => readdirSync(join(company, folder)).map((file) => join(company, folder, file))

  it('all files of the sample company', () => {
    const documents: [SchemaName, string][] = [
      ['gateway', join(company, 'gateway.json')],
      ['seed', join(company, 'seed.json')],
      ...filesOf('apps').map((file): [SchemaName, string] => ['classic-api', file]),
      ...filesOf('policies').map((file): [SchemaName, string] => ['policies', file]),
    ]
    for (const [name, file] of documents) expect(errorsOf(name, readJson(file)), file).toEqual([])
    for (const [name, file] of documents) {
      expect(join(file, '..', readJson(file).$schema), file).toBe(join(schemaFolder, `${name}.json`))
    }
  })

  it('the configurations, definitions and policies of all recorded suites', () => {
    const folder = join(root, 'fixtures/conformance')
    let documents = 0
    const check = (suite: string, name: SchemaName, document: unknown) => {
      documents++
      expect(errorsOf(name, document), suite).toEqual([])
    }
    for (const suite of readdirSync(folder)) {
      // The player replaces the port of the dashboard, which is a number.
      const text = readFileSync(join(folder, suite), 'utf8').replaceAll(/"\{\{number:[^"]*\}\}"/g, '1')
      const { config, apis = [], policies, files = {} } = JSON.parse(text)
      if (config !== undefined) check(suite, 'gateway', config)
      for (const api of apis) check(suite, api.openapi === undefined ? 'classic-api' : 'openapi-extension', api)
      if (policies !== undefined) check(suite, 'policies', policies)
      for (const [file, content] of Object.entries(files)) {
        if (/^apps\/.*-(oas|mcp)\.json$/.test(file)) check(suite, 'openapi-extension', JSON.parse(plain(content)))
        if (/^policies\//.test(file)) check(suite, 'policies', JSON.parse(plain(content)))
      }
    }
    expect(documents).toBeGreaterThan(400)
  })

  it('the documents that the recorded suites write by the management API', () => {
    const folder = join(root, 'fixtures/conformance')
    const rejected: string[] = []
    let documents = 0
    for (const suite of readdirSync(folder)) {
      for (const { steps, name: title } of readJson(join(folder, suite)).cases) {
        for (const { call, expect: response } of steps) {
          const document = writtenDocument(call, response?.status ?? 200)
          if (document === undefined) continue
          documents++
          if (errorsOf(document.name, document.body).length > 0) rejected.push(`${suite}: ${title}`)
        }
      }
    }
    expect(documents).toBeGreaterThan(500)
    // These bodies are what the cases are about: a missing id, and a member of the query in the body.
    expect([...new Set(rejected)]).toEqual([
      expect.stringMatching(/^apis-management.json: a definition without api_id/),
      expect.stringMatching(/^keys-hashed.json: the policy of a hashed key is changed/),
      expect.stringMatching(/^keys-lifecycle.json: the policy of a stored key is changed/),
      expect.stringMatching(/^policies-apply.json: the policy of a stored key takes effect/),
    ])
  })
})

/** A text of a recorded file, which is a list of lines or contains variables. */
function plain(content: unknown): string {
  return (typeof content === 'string' ? content : JSON.stringify(content)).replaceAll(/\{\{[a-z_]+\}\}/g, 'http://u')
}

interface RecordedCall {
  readonly method?: string
  readonly path: string
  readonly json?: unknown
  readonly body?: unknown
}

function parsed(body: unknown): unknown {
  if (typeof body !== 'string' || !body.startsWith('{')) return body
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function writtenDocument(call: RecordedCall | undefined, status: number) {
  if (call === undefined || status !== 200 || !['POST', 'PUT'].includes(call.method ?? '')) return undefined
  const [path = ''] = call.path.split('?')
  const body = call.json ?? parsed(call.body)
  if (typeof body !== 'object' || body === null || /import|export|preview/.test(path)) return undefined
  const kinds: [RegExp, SchemaName][] = [
    [/^\/\w+\/apis\/oas/, 'openapi-extension'],
    [/^\/\w+\/apis/, 'classic-api'],
    [/^\/\w+\/policies/, 'policies'],
    [/^\/\w+\/(keys|org)/, 'key'],
  ]
  const kind = kinds.find(([pattern]) => pattern.test(path))
  return kind && { name: kind[1], body }
}

describe('in the language server of an editor', () => {
  const service = getLanguageService({
    schemaRequestService: async (uri) => readFileSync(new URL(uri), 'utf8'),
    clientCapabilities: { textDocument: { completion: { completionItem: { documentationFormat: ['plaintext'] } } } },
  })

  /** `|` in the text is the cursor. */
  function open(name: SchemaName, members: string) {
    const schema = pathToFileURL(join(schemaFolder, `${name}.json`)).href
    const text = `{"$schema": ${JSON.stringify(schema)}, ${members}}`
    const offset = text.indexOf('|')
    const document = TextDocument.create('file:///x.json', 'json', 1, text.replace('|', ''))
    return { document, position: document.positionAt(Math.max(0, offset)), json: service.parseJSONDocument(document) }
  }
  const complete = async (name: SchemaName, members: string) => {
    const { document, position, json } = open(name, members)
    return ((await service.doComplete(document, position, json))?.items ?? []).map(({ label }) => label)
  }
  const hover = async (name: SchemaName, members: string) => {
    const { document, position, json } = open(name, members)
    return JSON.stringify((await service.doHover(document, position, json))?.contents ?? '')
  }
  const diagnose = async (name: SchemaName, members: string) => {
    const { document, json } = open(name, members)
    const found: readonly Diagnostic[] = await service.doValidation(document, json, { schemaValidation: 'warning' })
    return found.map(({ message }) => message)
  }

  const api = '"api_id": "a", "proxy": {"listen_path": "/a/"}'
  it.each<[SchemaName, string, string]>([
    ['gateway', '"storage": {"|"}', 'host'],
    ['classic-api', `${api}, "|"`, 'cache_options'],
    ['classic-api', '"api_id": "a", "proxy": {"listen_path": "/a/", "|"}', 'strip_listen_path'],
    ['openapi-extension', '"x-svc-api-gateway": {"server": {"|"}}', 'listenPath'],
    ['openapi-extension', '"x-acme-api-gateway": {"middleware": {"operations": {"get": {"|"}}}}', 'mockResponse'],
    ['policies', '"|"', 'quota_max'],
    ['policies', '"gold": {"|"}', 'quota_max'],
    ['key', '"access_rights": {"a": {"|"}}', 'allowed_urls'],
    ['seed', '"keys": {"k": {"|"}}', 'apply_policies'],
  ])('%s: completion in {%s} offers %s', async (name, members, label) => {
    expect(await complete(name, members)).toContain(label)
  })

  it('completion offers the words of a closed list', async () => {
    expect(await complete('gateway', '"front_end": |')).toEqual(
      expect.arrayContaining(['"auto"', '"http1"', '"node"', '"uws"']),
    )
  })

  it.each<[SchemaName, string, string]>([
    ['gateway', '"listen_prt": 1', 'listen_prt'],
    ['gateway', '"storage": {"hots": "h"}', 'hots'],
    ['classic-api', `${api}, "cache_optoins": {}`, 'cache_optoins'],
    ['classic-api', '"api_id": "a", "proxy": {"listen_path": "/a/", "strip_listenpath": true}', 'strip_listenpath'],
    [
      'openapi-extension',
      `${openApi('"middleware": {"global": {"cors": {"enabled": true, "enable": true}}}')}`,
      'enable',
    ],
    ['policies', '"rate": 1, "quotamax": 1', 'quotamax'],
    ['policies', '"gold": {"quotamax": 1}', 'quotamax'],
    ['key', '"aply_policies": []', 'aply_policies'],
    ['seed', '"keys": {"k": {"aply_policies": []}}', 'aply_policies'],
  ])('%s: a misspelt field in {%s} is reported', async (name, members, field) => {
    expect(await diagnose(name, members)).toEqual([expect.stringContaining(field)])
  })

  it.each<[SchemaName, string]>([
    ['gateway', '"listen_port": 1, "log_level": ""'],
    ['classic-api', `${api}, "version_data": null, "tags": null`.replace('"version_data": null, ', '')],
    ['openapi-extension', openApi('"middleware": {"global": {"cors": {"enabled": true}}}')],
    ['policies', '"access_rights": {}'],
    ['policies', '"gold": {"rate": 1}, "silver": {}'],
    ['seed', '"keys": {"k": {"rate": 1}}'],
    ['classic-api', '"api_id": "a", "protocol": "tcp", "listen_port": 9, "proxy": {"target_url": "tcp://h:1"}'],
  ])('%s: nothing is reported in {%s}', async (name, members) => {
    expect(await diagnose(name, members)).toEqual([])
  })

  it('a listen path that is missing is reported, except for an API that forwards bytes', async () => {
    expect(await diagnose('classic-api', '"api_id": "a", "proxy": {}')).toEqual([
      expect.stringContaining('listen_path'),
    ])
  })

  it.each<[SchemaName, string, RegExp]>([
    ['gateway', '"|data_path": "d"', /Folder of the embedded store\W+Default: \W+turnpike/],
    ['gateway', '"|newrelic": {}', /No effect: traces are sent in the protocol of OpenTelemetry only/],
    ['classic-api', '"|api_id": "a"', /Id of the API/],
    ['classic-api', `${api}, "|enable_proxy_protocol": true`, /No effect/],
    ['openapi-extension', '"x-svc-api-gateway": {"|server": {}}', /How clients reach the API/],
    ['policies', '"|quota_max": 1', /requests in a quota period/],
    ['key', '"|apply_policies": []', /policies of the key/],
    ['seed', '"keys": {"k": {"|alias": ""}}', /Name of the key/],
  ])('%s: hover on {%s} shows the description', async (name, members, text) => {
    expect(await hover(name, members)).toMatch(text)
  })
})

function openApi(middleware: string): string {
  const info = '"info": {"name": "a", "state": {"active": true}}'
  const server = '"server": {"listenPath": {"value": "/a/"}}, "upstream": {"url": "http://u"}'
  return `"openapi": "3.0.3", "info": {"title": "a", "version": "1"}, "paths": {}, "x-svc-api-gateway": {${info}, ${server}, ${middleware}}`
}
