/** What owners of other gateways have, as small inputs of the kinds that were found in public repositories. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { main } from './main.ts'
import { makeTestIo } from './test-io.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-in-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, content: unknown): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
}

async function run(args: readonly string[], environment: Record<string, string> = {}) {
  const io = makeTestIo({ cwd: folder, environment })
  const code = await main(args, io)
  return { code, out: [...io.printed, ...io.errorLines].join('\n') }
}

const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'))

/** Starts the gateway, waits for its banner and returns what it printed. */
async function start(cwd: string, args: readonly string[] = [], environment: Record<string, string> = {}) {
  const io = makeTestIo({ cwd, environment })
  const ended = main(['start', ...args, '--port', '0', '--no-watch'], io)
  const text = () => [...io.printed, ...io.errorLines].join('\n')
  await expect.poll(text, { timeout: 10_000 }).toMatch(/listens on/)
  await expect.poll(text, { timeout: 10_000 }).toMatch(/Try it|no API yet|management/)
  io.stop()
  await ended
  return text()
}

const api = (id: string, more: object = {}) => ({
  ...{ name: id, api_id: id, org_id: 'o', active: true, use_keyless: true },
  version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
  proxy: { listen_path: `/${id}/`, target_url: 'http://127.0.0.1:9/', strip_listen_path: true },
  ...more,
})
const policy = { org_id: 'o', rate: 5, per: 1, access_rights: { orders: { api_id: 'orders', versions: ['Default'] } } }
const document = (id: string, word = 'tyk') => ({
  openapi: '3.0.3',
  info: { title: id, version: '1' },
  paths: { '/admin': { get: { operationId: 'admin', responses: { 200: { description: 'ok' } } } } },
  [`x-${word}-api-gateway`]: {
    info: { id, name: id, orgId: 'o', state: { active: true } },
    server: { listenPath: { value: `/${id}/`, strip: true } },
    upstream: { url: 'http://127.0.0.1:9/' },
    middleware: { operations: { admin: { block: { enabled: true } } } },
  },
})
const tykConf = {
  ...{ listen_port: 0, secret: 's', node_secret: 'n', hash_keys: false, listen_address: '127.0.0.1' },
  storage: { type: 'memory' },
}

describe('an installation with a Compose file', () => {
  beforeEach(() => {
    write('install/docker-compose.yml', {
      services: {
        gateway: {
          image: 'tykio/tyk-gateway:v5.13.0',
          environment: [`TYK_GW_SECRET=${'$'}{KEY:-of-compose}`, 'TYK_GW_LOGLEVEL=info', 'OTHER=1'],
          volumes: ['./conf/tyk.standalone.conf:/opt/tyk-gateway/tyk.conf', './apis:/opt/tyk-gateway/apps:ro'],
        },
        redis: { image: 'redis', ports: ['6390:6379'] },
      },
    })
    write('install/conf/tyk.standalone.conf', {
      ...tykConf,
      app_path: '/opt/tyk-gateway/apps/',
      middleware_path: '/opt/tyk-gateway/middleware',
      policies: { policy_source: 'file', policy_record_name: '/opt/tyk-gateway/policies/policies.json' },
      storage: { type: 'redis', host: 'redis', port: 6379 },
      optimisations_use_async_session_write: true,
    })
    write('install/apis/orders.json', api('orders'))
    write('install/policies/policies.json', { gold: policy })
  })

  it('is read with its folders, its variables and the port of its Redis', async () => {
    const { code, out } = await run(['init', 'new', '--from', 'install'])
    expect(out).toContain('1 definition, 1 policy')
    expect(code).toBe(0)
    expect(out).toMatch(/folders that replace paths of the container:\n {2}\/opt\/tyk-gateway\/apps +\S+install\/apis/)
    expect(out).toMatch(/variables of the Compose file:\n {2}TYK_GW_SECRET +is taken over/)
    expect(out).toMatch(/optimisations_use_async_session_write +was removed from the original gateway/)
    expect(read('new/gateway.json')).toMatchObject({
      ...{ vendor: 'tyk', secret: 'of-compose', log_level: 'info', app_path: join(folder, 'install/apis') },
      storage: { type: 'redis', host: '127.0.0.1', port: 6390 },
      policies: { policy_record_name: join(folder, 'install/policies/policies.json') },
    })
  })

  it('is read as Compose reads it: variables without values, messages, comments, and folders of the project', async () => {
    const service = {
      build: '.',
      entrypoint: ['/opt/tyk-gateway/tyk', '--conf=/etc/own.conf'],
      env_file: ['gateway.env'],
      environment: [
        'TYK_GW_SECRET',
        'TYK_GW_NODESECRET',
        `TYK_GW_HOSTNAME=${'$'}{NAME:?name missing}`,
        'TYK_GW_LOGLEVEL',
      ],
      volumes: [
        `${'$'}{PWD}/conf/tyk.standalone.conf:/etc/own.conf`,
        { type: 'bind', source: './install/apis', target: '/opt/tyk-gateway/apps' },
      ],
    }
    write('install/docker-compose.yml', { services: { redis: { image: 'redis' }, api: service } })
    write('install/.env', 'TYK_GW_SECRET="of env" # the key\r\nNAME=own # comment\r\n')
    write('install/gateway.env', 'TYK_GW_LOGLEVEL=debug\n')
    const { code, out } = await run(['init', 'new', '--from', 'install'])
    expect(out).toContain('1 definition, 1 policy')
    expect(code).toBe(0)
    const made = read('new/gateway.json')
    expect(made).toMatchObject({ secret: 'of env', hostname: 'own', log_level: 'debug', node_secret: 'n' })
    expect(made.app_path).toBe(join(folder, 'install/apis'))
  })

  it('is checked with them', async () => {
    const { code, out } = await run(['check', 'install'])
    expect(out).toContain('1 definition and 1 policy checked: 0 errors, 0 warnings')
    expect(out).toMatch(
      /^container: \/opt\/tyk-gateway\/apps is install\/apis; .*; variables of install\/docker-compose.yml are used: TYK_GW_SECRET, TYK_GW_LOGLEVEL$/m,
    )
    expect(out).not.toMatch(/^install.*(\/opt\/tyk-gateway|docker-compose)/m)
    expect(JSON.parse((await run(['check', 'install', '--json'])).out)).toMatchObject({
      container: { variables: ['TYK_GW_SECRET', 'TYK_GW_LOGLEVEL'] },
    })
    expect(code).toBe(0)
  })
})

describe('a folder without a configuration', () => {
  it('is checked by the variables and folders of its Compose file', async () => {
    const environment = { TYK_GW_APPPATH: '/opt/tyk-gateway/apps', TYK_GW_POLICIES_POLICYPATH: '/opt/tyk-gateway/pols' }
    const volumes = ['../apis:/opt/tyk-gateway/apps', '../gold:/opt/tyk-gateway/pols']
    write('deploy/compose.yml', { services: { gw: { image: 'tykio/tyk-gateway', environment, volumes } } })
    write('apis/orders.json', api('orders'))
    write('gold/gold.json', { id: 'gold', ...policy })
    const { out } = await run(['check', '.'])
    expect(out).toMatch(/^container: \/opt\/tyk-gateway\/apps is apis; .*variables of deploy\/compose.yml are used/m)
    expect(out).toMatch(/^1 definition and 1 policy checked: 0 errors, 0 warnings$/m)
  })

  it('of the usual name can have one of any name in YAML', async () => {
    write('etc/my-gateway.yaml', 'listen_port: 0\nsecret: own\napp_path: ../apis\nstorage: { type: memory }\n')
    write('apis/a.json', api('a'))
    expect((await run(['init', 'new', '--from', '.'])).code).toBe(0)
    expect(read('new/gateway.json')).toMatchObject({ secret: 'own', app_path: join(folder, 'apis') })
  })
})

describe('a configuration of the original gateway', () => {
  it('with unknown keys that say nothing has no finding about them, unless they are misspelt', async () => {
    const http_server_options = { use_ssl: false, use_ssl_le: false }
    const empty = { enable_coprocess: false, event_trigers_defunct: {}, http_server_options }
    write('tyk.conf', { ...tykConf, ...empty, vendor: 'tyk', secret: 'long random text', app_path: 'apps' })
    write('apps/a.json', api('a'))
    expect((await run(['check'])).out).toMatch(/^1 definition and 0 policies checked: 0 errors, 0 warnings\n3 fields/)
    write('tyk.conf', { ...tykConf, app_path: 'apps', enable_jsvmm: false, other: 1 })
    expect((await run(['check'])).out).toMatch(/enable_jsvmm: is not a known key(.|\n)*other: is not a known key/)
  })

  it('with folders at their places, and parts that are switched off, has no finding about them', async () => {
    write('tyk.conf', {
      ...{ ...tykConf, vendor: 'tyk', secret: 'long random text', app_path: `${join(folder, 'apps')}/` },
      coprocess_options: { enable_coprocess: false, coprocess_grpc_server: 'tcp://127.0.0.1:9999' },
      slave_options: { use_rpc: false, connection_string: 'mdcb:9091', rpc_key: 'k' },
      ...{ use_db_app_configs: false, db_app_conf_options: { connection_string: 'http://dashboard:3000' } },
      ...{ tracing: { enabled: false, name: 'jaeger' }, use_syslog: false, syslog_transport: 'udp' },
    })
    write('apps/a.json', api('a'))
    expect((await run(['check'])).out).toMatch(
      /^1 definition and 0 policies checked: 0 errors, 0 warnings\n\d+ fields and files without use not listed; --all lists them$/,
    )
    write('tyk.conf', { ...tykConf, app_path: 'apps', coprocess_options: { enable_coprocess: true } })
    expect((await run(['check'])).out).toMatch(/note {2}coprocess_options: is known, but has no effect/)
  })

  it('with keys that it has not any more, and files that do not exist, starts', async () => {
    const conf = {
      ...tykConf,
      app_path: 'apps',
      public_key_path: '/no/key',
      auth_override: {},
      session_update_pool_size: 1,
    }
    write('tyk.conf', conf)
    const checked = await run(['check'])
    expect(checked.out).toMatch(/tyk\.conf:1:\d+ {2}error {2}public_key_path: the file \/no\/key does not exist/)
    expect(checked.out).toMatch(/warning {2}app_path: the folder of definitions does not exist/)
    expect(checked.out).toMatch(/note {2}\w+: was removed, and so were \w+, from the original gateway \(remove them\)/)
    expect(checked.out).toContain('0 definitions and 0 policies checked: 1 error')
    expect(await start(folder)).toMatch(/the folder of definitions \S+apps does not exist.*there are no APIs/)
    const { out } = await run(['init', 'new', '--from', '.'])
    expect(out).toMatch(/app_path +is a new folder, because \S+apps does not exist/)
    expect(out).toMatch(/public_key_path +is left out, because \/no\/key does not exist/)
    expect(await start(join(folder, 'new'))).toMatch(/listens on/)
  })

  it('names secret stores that are not supported', async () => {
    write('tyk.conf', { ...tykConf, app_path: 'apps', secret: 'vault://secret/tyk.key' })
    write('apps/a.json', api('a', { proxy: { ...api('a').proxy, target_url: 'consul://target' } }))
    const { out } = await run(['check'])
    expect(out).toMatch(
      /error {2}secret: vault:\/\/ is a secret store that is not supported.*env:\/\/NAME or secrets:\/\/NAME/,
    )
    expect(out).toMatch(/warning {2}proxy\.target_url: consul is a secret store that is not supported/)
  })

  it('can have notes behind the JSON value, as its policies', async () => {
    write(
      'tyk.conf',
      `${JSON.stringify({ ...tykConf, app_path: 'apps', policies: { policy_record_name: 'policies.json' } })}\n# curl x\n`,
    )
    write('policies.json', `${JSON.stringify({ gold: policy })}\n// old: {}\n`)
    write('apps/orders.json', api('orders'))
    const { out } = await run(['check'])
    expect(out).toMatch(/tyk\.conf:2:1 {2}warning {2}the text behind the JSON value is ignored/)
    expect(out).toMatch(/policies\.json:2:1 {2}warning {2}the text behind the JSON value is ignored/)
    expect(out).toContain('1 definition and 1 policy checked: 0 errors, 2 warnings')
    expect(await start(folder)).toMatch(/orders {2}\/orders\//)
  })

  it('can be YAML, as its definitions and policies', async () => {
    const policies = { policy_source: 'file', policy_path: 'policies' }
    write(
      'gateway.yaml',
      `listen_address: 127.0.0.1\nlisten_port: 0\nsecret: s\nstorage: { type: memory }\npolicies: ${JSON.stringify(policies)}\nnot_a_key: 1\n`,
    )
    write(
      'apps/orders.yaml',
      `# an API\nname: Orders\napi_id: orders\norg_id: o\nuse_keyless: true\nactive: true\nproxy:\n  listen_path: /orders/\n  target_url: 7\nversion_data:\n  not_versioned: true\n  versions: { Default: { name: Default } }\n`,
    )
    write('policies/gold.yaml', `id: gold\norg_id: o\nrate: 5\nper: 1\naccess_rights: { orders: { api_id: orders } }\n`)
    const { out } = await run(['check'])
    expect(out).toMatch(/gateway\.yaml:6:\d+ {2}warning {2}not_a_key: is not a known key/)
    expect(out).toMatch(/apps\/orders\.yaml:9:\d+ {2}error {2}proxy\.target_url: must be a text/)
    write(
      'apps/orders.yaml',
      readFileSync(join(folder, 'apps/orders.yaml'), 'utf8').replace(': 7', ': http://127.0.0.1:9'),
    )
    expect((await run(['check'])).out).toContain('1 definition and 1 policy checked: 0 errors')
    expect(await start(folder)).toMatch(/Orders {2}\/orders\//)
  })
})

describe('the vendor word', () => {
  it('is that of tyk.conf, or of the definitions, unless the configuration names one', async () => {
    write('tyk.conf', { ...tykConf, app_path: 'apps' })
    write('apps/a.json', api('a'))
    const named = await run(['check'])
    expect(named.out).toMatch(/tyk\.conf {2}note {2}vendor: is "tyk", because the file is named tyk\.conf/)
    expect(named.code).toBe(0)
    expect(await start(folder, [], { TYK_GW_SECRET: 'x' })).toMatch(/vendor: is "tyk"[\s\S]*X-Tyk-Authorization/)
    rmSync(join(folder, 'tyk.conf'))
    write('gateway.json', { ...tykConf, app_path: 'apps' })
    write('apps/b.json', document('b'))
    expect((await run(['check'])).out).toMatch(/vendor: is "tyk", because b\.json has its names/)
    expect(await start(folder)).toMatch(/b {2}\/b\//)
    write('gateway.json', { ...tykConf, vendor: 'svc', app_path: 'apps' })
    const passedOver = await run(['check'], { TYK_GW_SECRET: 'x' })
    expect(passedOver.out).toMatch(
      /warning {2}vendor: is "svc", although b\.json has its names and the environment has TYK_GW_SECRET/,
    )
  })

  it('is not that of variables alone', async () => {
    write('gateway.json', { ...tykConf, app_path: 'apps' })
    write('apps/a.json', api('a'))
    const { out } = await run(['check'], { TYK_GW_SECRET: 'x', TYK_GW_LISTENPORT: '1' })
    expect(out).toMatch(
      /warning {2}vendor: is "svc", so variables of other words are ignored: the environment has TYK_GW_LISTENPORT, TYK_GW_SECRET/,
    )
  })

  it('of a document is used by an import, or the import ends', async () => {
    write('orders.json', document('orders'))
    expect((await run(['import', 'orders.json', '--out', 'out'])).code).toBe(0)
    expect(read('out/orders.json').version_data.versions.Default.extended_paths.black_list).toHaveLength(1)
    write('gateway.json', { ...tykConf, app_path: 'apps', vendor: 'svc' })
    const { code, out } = await run(['import', 'orders.json'])
    expect(out).toMatch(
      /has the extension x-tyk-api-gateway, but the vendor word of the configuration is "svc"; set vendor to "tyk"/,
    )
    expect(code).toBe(1)
    expect(existsSync(join(folder, 'apps'))).toBe(false)
  })
})

describe('exports', () => {
  beforeEach(() => {
    write('sync/.tyk.json', {
      type: 'apidef',
      files: [{ file: 'api-1.json' }, { file: 'oas-2.json' }],
      policies: [{ file: 'policy-3.json' }],
      assets: [{ file: 'asset-4.json' }],
    })
    write('sync/api-1.json', {
      api_definition: { id: { $oid: '5f0000000000000000000001' }, ...api('orders') },
      oas: null,
      hook_references: [{}],
    })
    write('sync/oas-2.json', { oas: document('pets'), categories: [] })
    write('sync/policy-3.json', {
      _id: '5f0000000000000000000002',
      ...policy,
      access_rights_array: [],
      date_created: { $date: 'x' },
    })
    write('sync/asset-4.json', { id: '1', kind: 'oas-template', data: {} })
  })

  it('of a sync repository become ordinary files', async () => {
    const { code, out } = await run(['init', 'new', '--from', 'sync'])
    expect(code).toBe(0)
    expect(readdirSync(join(folder, 'new/apps'))).toEqual(['orders.json', 'pets-oas.json', 'pets.json'])
    expect(readdirSync(join(folder, 'new/policies'))).toEqual(['5f0000000000000000000002.json'])
    expect(read('new/apps/orders.json')).toMatchObject({ api_id: 'orders', id: '5f0000000000000000000001' })
    expect(out).toMatch(
      /not taken over:\n {2}sync\/api-1\.json +hook_references: 1 web hook.*\n {2}sync\/asset-4\.json/,
    )
    expect(await start(join(folder, 'new'))).toMatch(/orders {2}\/orders\/[\s\S]*pets {4}\/pets\//)
  })

  it('are checked, and imported into folders that are named', async () => {
    expect((await run(['check', 'sync'])).out).toContain('2 definitions and 1 policy checked: 0 errors')
    const { code, out } = await run(['import', 'sync', '--out', 'out/apps', '--org', 'acme'])
    expect([code, out.split('\n')[0]]).toEqual([0, '2 definitions and 1 policy'])
    expect(readdirSync(join(folder, 'out/policies'))).toHaveLength(1)
    expect((await run(['import', 'sync', '--out', 'out/apps'])).out).toMatch(
      /nothing was written, because these files exist/,
    )
  })

  it('in a folder of definitions are converted beside copies of the others', async () => {
    write('old/tyk.conf', {
      ...tykConf,
      app_path: 'apps',
      policies: { policy_source: 'file', policy_record_name: 'policies.json' },
    })
    write('old/apps/a.json', api('a'))
    write('old/apps/list.json', { apis: [{ api_definition: api('b') }, { api_definition: api('c') }], pages: 1 })
    write('old/policies.json', {
      Data: [{ _id: 'p1', ...policy, access_rights: null, access_rights_array: [{ api_id: 'a' }] }],
      Pages: 1,
    })
    const { code, out } = await run(['init', 'new', '--from', 'old'])
    expect(out).not.toContain('must change')
    expect(code).toBe(0)
    expect(readdirSync(join(folder, 'new/apps'))).toEqual(['a.json', 'b.json', 'c.json'])
    expect(read('new/policies/p1.json').access_rights).toEqual({ a: { api_id: 'a' } })
    expect(read('new/gateway.json')).toMatchObject({ app_path: 'apps', policies: { policy_path: 'policies' } })
  })

  it('and other files in app_path are named with the reason', async () => {
    write('gateway.json', { ...tykConf, app_path: 'apps', vendor: 'tyk' })
    write('apps/export.json', { api_definition: api('a') })
    write('apps/policy.json', { id: 'p', ...policy })
    write('apps/UPPER.JSON', api('u'))
    write('apps/deep/x.json', api('x'))
    write('apps/notes.txt', 'x')
    const { out } = await run(['check'])
    expect(out).toMatch(/export\.json:1:\d+ {2}error {2}api_definition: is an export of a dashboard/)
    expect(out).toMatch(/policy\.json:1:\d+ {2}error .*is a policy, not a definition/)
    expect(out).toMatch(
      /UPPER\.JSON {2}warning {2}is not read, because the ending of its name is in capitals \(rename it to UPPER\.json\)/,
    )
    expect(out).toMatch(/deep {2}warning {2}is a folder: definitions in sub-folders are not read/)
    expect(out).toMatch(/^1 field or file without use not listed/m)
    expect((await run(['check', '--all'])).out).toMatch(/notes\.txt {2}note {2}is not read/)
  })
})

describe('exports of a database', () => {
  it('have one value in each line, and each is read', async () => {
    const id = (n: number) => ({ $oid: `5f000000000000000000000${n}` })
    const lines = (values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\r\n`).join('')
    write('dump/tyk_apis.json', lines([api('a'), api('b')].map((one, i) => ({ _id: id(i), api_definition: one }))))
    write('dump/tyk_policies.json', lines([1, 2].map((n) => ({ _id: id(n), ...policy }))))
    expect((await run(['init', 'new', '--from', 'dump'])).out).toContain('2 definitions, 2 policies')
    expect((await run(['check', 'dump'])).out).toContain('2 definitions and 2 policies checked')
  })
})

describe('resources of the operator', () => {
  it('become definitions, documents and policies with the ids of the operator', async () => {
    const meta = (name: string) => ({ apiVersion: 'tyk.tyk.io/v1alpha1', metadata: { name, namespace: 'shop' } })
    const { api_id: _, version_data: __, org_id: ___, ...spec } = api('orders')
    const { info, ...settings } = document('pets')['x-tyk-api-gateway'] as unknown as { info: object }
    const pets = {
      ...document('pets'),
      'x-tyk-api-gateway': { ...settings, info: { ...info, id: undefined, orgId: '' } },
    }
    const resources = [
      { ...meta('orders'), kind: 'ApiDefinition', spec: { ...spec, contextRef: { name: 'x' } } },
      {
        ...meta('gold'),
        kind: 'SecurityPolicy',
        spec: {
          name: 'Gold',
          state: 'active',
          rate: 5,
          per: 1,
          access_rights_array: [{ name: 'orders', versions: ['Default'] }],
        },
      },
      {
        kind: 'List',
        apiVersion: 'v1',
        items: [
          {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: 'doc', namespace: 'shop' },
            data: { 'pets.json': JSON.stringify(pets) },
          },
        ],
      },
      {
        ...meta('pets'),
        kind: 'TykOasApiDefinition',
        spec: { tykOAS: { configmapRef: { name: 'doc', keyName: 'pets.json' } } },
      },
      { ...meta('portal'), kind: 'PortalConfig', spec: {} },
    ]
    write('resources.yaml', resources.map((resource) => JSON.stringify(resource)).join('\n---\n'))
    const { code, out } = await run(['import', 'resources.yaml', '--out', 'out/apps'])
    expect(code).toBe(0)
    expect(out).toMatch(/contextRef of the ApiDefinition "orders" is for the operator only/)
    expect(out).toMatch(/the resource PortalConfig "portal" is not supported/)
    const id = Buffer.from('shop/orders').toString('base64url')
    expect(read(`out/apps/${id}.json`)).toMatchObject({ api_id: id, version_data: { not_versioned: true } })
    expect(existsSync(join(folder, `out/apps/${Buffer.from('shop/pets').toString('base64url')}-oas.json`))).toBe(true)
    const gold = read(`out/policies/${Buffer.from('shop/gold').toString('base64url')}.json`)
    expect(gold.access_rights).toEqual({ [id]: { api_id: id, api_name: 'orders', versions: ['Default'] } })
    expect((await run(['check', '.'])).out).toMatch(/2 definitions and 1 policy checked: 0 errors/)
  })
})

describe('OpenAPI documents', () => {
  it('of version 2.0 are converted', async () => {
    const swagger = {
      swagger: '2.0',
      info: { title: 'Pets', version: '1' },
      ...{
        host: '127.0.0.1:9',
        basePath: '/v1',
        schemes: ['http'],
        securityDefinitions: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
      },
      parameters: { pet: { in: 'body', name: 'pet', schema: { $ref: '#/definitions/Pet' } } },
      definitions: {
        Pet: { type: 'object', discriminator: 'kind', properties: { kind: { type: 'string', 'x-nullable': true } } },
      },
      paths: {
        '/pets': {
          post: {
            parameters: [{ $ref: '#/parameters/pet' }],
            responses: { 200: { description: 'ok', examples: { 'application/json': { id: 1 } } } },
          },
        },
        '/form': {
          post: {
            consumes: ['application/x-www-form-urlencoded'],
            parameters: [{ in: 'formData', name: 'n', type: 'string' }],
            responses: { 200: { description: 'ok' } },
          },
        },
      },
    }
    write('pets.json', swagger)
    expect((await run(['import', 'pets.json', '--out', 'out'])).code).toBe(0)
    const made = read('out/pets-oas.json')
    expect(read('out/pets.json').proxy.target_url).toBe('http://127.0.0.1:9/v1')
    const { post } = made.paths['/pets']
    expect(post.parameters ?? []).toEqual([])
    expect(post.requestBody.content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Pet' })
    expect(post.responses[200].content['application/json'].example).toEqual({ id: 1 })
    expect(made.components.schemas.Pet).toMatchObject({
      discriminator: { propertyName: 'kind' },
      properties: { kind: { nullable: true } },
    })
    expect(made.components.securitySchemes.key).toEqual({ type: 'apiKey', in: 'header', name: 'X-Key' })
    expect(Object.keys(made.paths['/form'].post.requestBody.content)).toEqual(['application/x-www-form-urlencoded'])
    expect(await start(folder, ['pets.json', '--target', 'http://127.0.0.1:9'])).toMatch(/Pets {2}\//)
  })

  it('in several files become one, and references that are not followed are named', async () => {
    write(
      'api/openapi.yaml',
      `openapi: 3.0.3\ninfo: { title: Split, version: 1.0 }\nservers: [{ url: "http://127.0.0.1:9" }]\npaths:\n  /a: { $ref: ./a.yaml }\n  /b:\n    post:\n      requestBody: { content: { application/json: { schema: { $ref: './thing.yaml#/Thing' } } } }\n      responses: { "200": { $ref: 'https://example.org/r.yaml' }, "201": { $ref: ../outside.yaml } }\n`,
    )
    write('outside.yaml', 'description: x\n')
    write('api/a.yaml', 'get: { operationId: a, responses: { "200": { description: ok } } }\n')
    write(
      'api/thing.yaml',
      `Thing: { type: object, properties: { n: { $ref: '#/Number' }, next: { $ref: '#/Thing' } } }\nNumber: { type: integer }\n`,
    )
    const { out } = await run(['import', 'api/openapi.yaml', '--out', 'out', '--dry-run'])
    expect(out).toMatch(/2 operations/)
    expect(out).toMatch(
      /paths\.\/b\.post\.responses\.200 +\$ref https:\/\/example\.org\/r\.yaml is not followed: URLs are not read/,
    )
    expect(out).toMatch(/responses\.201 +\$ref \.\.\/outside\.yaml is not followed: is outside of the folder/)
    write(
      'api/openapi.yaml',
      readFileSync(join(folder, 'api/openapi.yaml'), 'utf8').replace(
        /responses: \{ "200": \{ \$ref.*/,
        'responses: { "200": { description: ok } }',
      ),
    )
    expect((await run(['import', 'api/openapi.yaml', '--out', 'out'])).code).toBe(0)
    const { schemas } = read('out/split-oas.json').components
    expect(schemas).toEqual({
      Thing: {
        type: 'object',
        properties: { n: { $ref: '#/components/schemas/Number' }, next: { $ref: '#/components/schemas/Thing' } },
      },
      Number: { type: 'integer' },
    })
  })

  it('that are stored with references to other documents are reported with file and place', async () => {
    write('gateway.json', { ...tykConf, vendor: 'tyk', app_path: 'apps', secret: 'long random text' })
    const pet = { type: 'object', properties: { owner: { $ref: '../owner.yaml#/Owner' } }, example: { $ref: 'data' } }
    const post = {
      operationId: 'add',
      requestBody: { content: { 'application/json': { schema: { $ref: './pet.json' } } } },
      responses: { 200: { $ref: 'https://example.org/r.json' }, 201: { description: 'ok' } },
    }
    write('apps/pets.json', {
      ...document('pets'),
      paths: { '/admin': { get: { operationId: 'admin', responses: {} }, post } },
      components: { schemas: { Pet: pet } },
    })
    const { out } = await run(['check'])
    expect(out).toMatch(
      /apps\/pets\.json:1:\d+ {2}warning {2}components\.schemas\.Pet\.properties\.owner\.\$ref: refers to \.\.\/owner\.yaml#\/Owner, which is in another document/,
    )
    expect(out).toMatch(/\.schema\.\$ref: refers to \.\/pet\.json, /)
    expect(out).toMatch(/responses\S*200\S*\$ref: refers to https:\/\/example\.org\/r\.json, /)
    expect(out).toContain('0 errors, 3 warnings')
  })

  it('keep their server with --mock, so that the result passes check', async () => {
    write('gateway.json', { ...tykConf })
    write('pets.json', {
      ...document('pets'),
      'x-tyk-api-gateway': undefined,
      servers: [{ url: 'http://127.0.0.1:9/v1' }],
    })
    expect((await run(['import', 'pets.json', '--mock', '--allow-list'])).code).toBe(0)
    expect(read('apps/pets.json').proxy.target_url).toBe('http://127.0.0.1:9/v1')
  })
})

describe('fields of keys in policies', () => {
  it('are counted if they say nothing, and their finding names the field of policies otherwise', async () => {
    write('gateway.json', {
      ...{ ...tykConf, vendor: 'tyk', secret: 'long random text', app_path: 'apps' },
      policies: { policy_source: 'file', policy_record_name: 'policies.json' },
    })
    write('apps/orders.json', api('orders'))
    const key = { last_check: 0, allowance: 5, quota_renews: 1458667309, quota_remaining: -1, hmac_string: '' }
    write('policies.json', { gold: { ...policy, ...key, expires: -1 }, new: { ...policy, ...key, expires: 0 } })
    expect((await run(['check'])).out).toMatch(/^1 definition and 2 policies checked: 0 errors, 0 warnings$/m)
    write('policies.json', { gold: { ...policy, expires: 1458669677 } })
    expect((await run(['check'])).out).toMatch(/warning {2}gold\.expires: .* \(set key_expires_in of the policy, in s/)
  })
})

describe('a file of policies that does not exist', () => {
  it('is a warning at its key, because the original gateway starts without it', async () => {
    write('tyk.conf', {
      ...tykConf,
      app_path: 'apps',
      policies: { policy_source: 'file', policy_record_name: 'none.json' },
    })
    write('apps/a.json', api('a'))
    const { out } = await run(['check'])
    expect(out).toMatch(
      /tyk\.conf:\d+:\d+ {2}warning {2}policies\.policy_record_name: the file of policies does not exist/,
    )
  })
})

describe('fields at the wrong level', () => {
  it('are not to be removed: the finding says where they belong', async () => {
    write('gateway.json', { ...tykConf, app_path: 'apps', vendor: 'tyk' })
    const { version_data } = api('a')
    const versions = { Default: { name: 'Default', response_processors: [] } }
    const proxy = { target_url: 'http://127.0.0.1:9/', listen_path: '/a/' }
    write('apps/a.json', {
      ...api('a'),
      proxy,
      driver: 'otto',
      listen_path: '/b/',
      version_data: { ...version_data, versions },
    })
    const { out } = await run(['check'])
    expect(out).toMatch(/warning {2}driver: .* \(move it into custom_middleware\)/)
    expect(out).toMatch(/warning {2}listen_path: .* \(move it into proxy\)/)
    expect(out).toMatch(/Default\.response_processors: .* \(move it to the top level\)/)
    expect(out).not.toContain('remove it')
  })
})

describe('keys import', () => {
  it('reads sessions by file, exports and maps, and names what is no key', async () => {
    write('keys/alpha.json', { org_id: 'o', rate: 1, per: 1 })
    write('keys/export.json', {
      api_model: {},
      key_id: 'beta',
      key_hash: 'h',
      data: { org_id: 'o', apply_policies: ['gold'] },
    })
    write('keys/map.json', { gamma: { rate: 1 }, delta: { rate: 2 } })
    write('keys/other.json', { a: 1 })
    const { readKeys } = await import('../formats/read-keys.ts')
    const found = readKeys(join(folder, 'keys'))
    expect(found.keys.map(({ name }) => name)).toEqual(['alpha', 'beta', 'gamma', 'delta'])
    expect(found.leftOut).toEqual([{ source: join(folder, 'keys/other.json'), reason: 'contains no key' }])
    expect((await run(['keys', 'import', 'none'])).code).toBe(2)
  })
})
