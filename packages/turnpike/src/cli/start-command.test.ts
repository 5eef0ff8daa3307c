import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { frontEnds } from '../../test/support/front-ends.ts'
import { main } from './main.ts'
import { makeTestIo, type TestIo } from './test-io.ts'

const company = fileURLToPath(new URL('../../../../fixtures/company', import.meta.url))
let folder: string
let running: { io: TestIo; ended: Promise<number> } | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-start-'))
})
afterEach(async () => {
  running?.io.stop()
  await running?.ended
  running = undefined
  rmSync(folder, { recursive: true, force: true })
})

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

function write(name: string, content: unknown): void {
  mkdirSync(join(folder, name, '..'), { recursive: true })
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
}

/** Starts and waits for the banner, or for the end. */
async function start(...args: string[]): Promise<{ io: TestIo; text: () => string; ended: Promise<number> }> {
  return startWith(makeTestIo({ cwd: folder }), ...args)
}

async function startWith(io: TestIo, ...args: string[]) {
  const ended = main(['start', ...args], io)
  running = { io, ended }
  let over = false
  void ended.then(() => {
    over = true
  })
  while (!over && !io.printed.some((line) => /listens on|"event":"started"/.test(line))) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return { io, ended, text: () => [...io.printed, ...io.errorLines].join('\n') }
}

/** The sample company on ports of its own. */
async function copyCompany(): Promise<{ url: string; port: number }> {
  cpSync(company, folder, { recursive: true })
  const port = await freePort()
  const config = JSON.parse(readFileSync(join(folder, 'gateway.json'), 'utf8'))
  write('gateway.json', {
    ...config,
    listen_port: port,
    data_path: 'data',
  })
  return { url: `http://127.0.0.1:${port}`, port }
}

describe('turnpike start', () => {
  it('names the settings without effect of the configuration and of the seed file', async () => {
    const proxy = { listen_path: '/a/', target_url: 'http://127.0.0.1:1' }
    write('gateway.json', {
      ...{ listen_address: '127.0.0.1', listen_port: await freePort(), storage: { type: 'memory' }, seed: 'seed.json' },
      ...{ newrelic: {}, use_syslog: true },
    })
    write('apps/a.json', { api_id: 'a', name: 'a', use_keyless: true, proxy })
    write('seed.json', { keys: { 'some-key': { access_rights: { a: { api_id: 'a' } }, alais: 'x' } } })
    const { text } = await start('--conf', 'gateway.json', '--no-requests')
    for (const expected of [
      'note: these settings have no effect, and turnpike check says why: newrelic, use_syslog',
      /seed.json:1:\d+ {2}warning {2}keys.some-key.alais: is not a known field and is ignored \(did you mean "alias"\?\)/,
    ]) {
      expect(text()).toMatch(expected)
    }
  })

  it('warns of rates of less than a second', async () => {
    const listens = { listen_address: '127.0.0.1', listen_port: await freePort(), storage: { type: 'memory' } }
    write('gateway.json', { ...listens, policies: { policy_path: 'policies' } })
    const proxy = { listen_path: '/a/', target_url: 'http://127.0.0.1:1' }
    write('apps/a.json', { api_id: 'a', name: 'a', use_keyless: true, proxy, global_rate_limit: { rate: 5, per: 0.5 } })
    write('policies/gold.json', { id: 'gold', rate: 5, per: 0.5, access_rights: { a: { api_id: 'a' } } })
    const { text } = await start('--conf', 'gateway.json', '--no-requests')
    expect(text()).toMatch(/global_rate_limit\.per.*below one second limits nothing/)
    expect(text()).toMatch(/gold\.json.*per.*below one second limits nothing/)
  })

  it('names fields that no gateway acts on, and leaves out keys of the seed file that strict rejects', async () => {
    const listens = { listen_address: '127.0.0.1', listen_port: await freePort(), storage: { type: 'memory' } }
    write('gateway.json', { ...listens, seed: 'seed.json', strict: true, policies: { policy_path: 'policies' } })
    const proxy = { listen_path: '/a/', target_url: 'http://127.0.0.1:1' }
    write('apps/a.json', { api_id: 'a', name: 'a', slug: 's', use_keyless: true, proxy })
    write('policies/gold.json', { id: 'gold', active: true, access_rights: { a: { api_id: 'a' } } })
    write('seed.json', { keys: { 'some-key': { access_rights: { a: { api_id: 'a' } }, alais: 'x' } } })
    const { text } = await start('--conf', 'gateway.json', '--no-requests')
    for (const expected of [
      /slug has no effect in any gateway and is only stored: API a; remove it/,
      /active has no effect in any gateway and is only stored: policy gold.json; use is_inactive/,
      /key some-key of the seed file: alais is not a known field .*\("strict" is on\)/,
    ]) {
      expect(text()).toMatch(expected)
    }
  })

  it('serves the sample company and leads a new user to a 200, a 429 and a quota 403', async () => {
    const { url } = await copyCompany()
    const { io, ended, text } = await start('--conf', 'gateway.json')
    expect(text()).toContain(`listens on ${url}`)
    expect(text()).toMatch(
      /Orders +\/orders\/ +-> echo:\S+ +key in header Authorization; versions v1, v2 by header X-Api-Version/,
    )
    expect(text()).toContain('X-Svc-Authorization: local-development-key')
    expect(text()).toContain(`curl -i ${url}/status/now`)

    expect((await fetch(`${url}/status/now`)).status).toBe(200)
    const shop = { headers: { Authorization: 'shop-website' } }
    const orders: number[] = []
    for (let i = 0; i < 7; i++) orders.push((await fetch(`${url}/orders/${i}`, shop)).status)
    expect(orders).toEqual([200, 200, 200, 200, 200, 429, 429])
    const partner: number[] = []
    for (let i = 0; i < 4; i++) {
      partner.push((await fetch(`${url}/partner/x`, { headers: { 'X-Partner-Key': 'partner-north' } })).status)
    }
    expect(partner).toEqual([200, 200, 200, 403])
    const anna = { headers: { Authorization: `Basic ${btoa('anna:open-sesame')}` } }
    expect((await fetch(`${url}/backoffice/x`, anna)).status).toBe(200)
    expect((await fetch(`${url}/svc/docs`)).status).toBe(200)

    expect(text()).toMatch(/^\d\d:\d\d:\d\d 200 GET \/orders\/0 {2}Orders {2}\d+ ms {2}key [0-9a-f]{12}$/m)
    expect(text()).toMatch(
      / 429 GET \/orders\/6 {2}Orders {2}\d+ ms {2}key [0-9a-f]{12} {2}rejected by key-limits: Rate Limit Exceeded$/m,
    )
    io.stop('SIGTERM')
    expect(await ended).toBe(0)
  })

  it('prints a link that signs in to the dashboard once', async () => {
    const { url } = await copyCompany()
    const { text } = await start('--conf', 'gateway.json')
    const link = /^ {2}sign in +(\S+) \(works once, for 10 minutes\)$/m.exec(text())?.[1] ?? ''
    expect(link).toMatch(`${url}/tap?nonce=`)
    const signedIn = await fetch(link, { redirect: 'manual' })
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([302, '/dashboard'])
    const Cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    expect((await fetch(`${url}/dashboard`, { headers: { Cookie } })).status).toBe(200)
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(401)
    expect(text().match(/nonce=\w{20}/g)).toHaveLength(1)
  })

  it.each([
    ['terminal', true, [], true],
    ['terminal', false, [], false],
    ['terminal', true, ['--json'], false],
    ['never', true, [], false],
  ] as const)('sign_in_link %s, terminal %s, %j: prints a link: %s', async (mode, isTerminal, flags, expected) => {
    await copyCompany()
    const config = JSON.parse(readFileSync(join(folder, 'gateway.json'), 'utf8'))
    write('gateway.json', { ...config, dashboard: { ...config.dashboard, sign_in_link: mode } })
    const io = makeTestIo({ cwd: folder, isTerminal })
    const { text } = await startWith(io, '--conf', 'gateway.json', '--no-watch', ...flags)
    expect(/nonce=\w{20}/.test(text())).toBe(expected)
  })

  it('keeps seeded keys as they are at the next start', async () => {
    const { url } = await copyCompany()
    const first = await start('--conf', 'gateway.json')
    for (let i = 0; i < 3; i++) await fetch(`${url}/partner/x`, { headers: { 'X-Partner-Key': 'partner-north' } })
    first.io.stop()
    await first.ended
    await start('--conf', 'gateway.json')
    const response = await fetch(`${url}/partner/x`, { headers: { 'X-Partner-Key': 'partner-north' } })
    expect(response.status).toBe(403)
  })

  it('prints events as lines of JSON when asked', async () => {
    const { port, url } = await copyCompany()
    const { io } = await start('--conf', 'gateway.json', '--json')
    await fetch(`${url}/status/now`)
    const events = io.printed.map((line) => JSON.parse(line))
    expect(events).toMatchObject([
      {
        event: 'started',
        url: `http://127.0.0.1:${port}`,
        apis: expect.arrayContaining([expect.objectContaining({ id: 'orders' })]),
      },
      { event: 'request', status: 200, apiId: 'status' },
    ])
  })

  it('does not start with a configuration that does not exist, and writes nothing', async () => {
    const { ended, text } = await start('--conf', 'new.json')
    expect(await ended).toBe(2)
    expect(text()).toMatch(/new\.json {2}error {2}does not exist/)
    expect(readdirSync(folder)).toEqual([])
  })

  it('without a configuration it names the command that makes one', async () => {
    const { ended, text } = await start()
    expect(await ended).toBe(2)
    expect(text()).toContain('create a gateway with: turnpike init')
    expect(readdirSync(folder)).toEqual([])
  })

  it('finds gateway.json in the current folder, and two gateways do not share a port of the echo upstream', async () => {
    await copyCompany()
    const config = JSON.parse(readFileSync(join(folder, 'gateway.json'), 'utf8'))
    write('gateway.json', { ...config, storage: { type: 'memory' } })
    const first = await start('--port', '0')
    const second = await start('--port', '0', '--json')
    first.io.stop()
    expect(await first.ended).toBe(0)
    expect(first.text()).toMatch(/Status +\/status\/ +-> echo:\/\/status\/ /)
    expect(second.text()).toContain('"event":"started"')
  })

  it('shows no management key of its own with a seed either', async () => {
    write('apps/none.txt', '')
    write('seed.json', {})
    write('gateway.json', {
      listen_address: '127.0.0.1',
      listen_port: 0,
      secret: 'very-own-secret',
      seed: 'seed.json',
      storage: { type: 'memory' },
    })
    const { text } = await start('--conf', 'gateway.json')
    expect(text()).toContain('the configured secret')
    expect(text()).not.toContain('very-own-secret')
  })

  it('shows no management key of a gateway without a seed', async () => {
    write('apps/none.txt', '')
    write('gateway.json', {
      listen_address: '127.0.0.1',
      listen_port: 0,
      secret: 'very-own-secret',
      storage: { type: 'memory' },
    })
    const { text } = await start('--conf', 'gateway.json', '--debug')
    expect(text()).toContain('the configured secret')
    expect(text()).not.toContain('very-own-secret')
  })

  it.each([
    [
      'a folder of definitions that is missing',
      {},
      /^error: the folder of definitions .*apps\/? does not exist; make it/,
    ],
    ['a file in place of the folder', { app_path: 'gateway.json' }, /is not a folder/],
    ['several workers in memory', { workers: 2 }, /workers: 2 workers would count apart/],
    ['a wrong type', { listen_port: 'x' }, /gateway\.json:1:\d+ {2}error {2}listen_port: must be a whole number/],
    ['a seed file that is missing', { seed: 'seed.json' }, /the seed file cannot be read/],
    ['an address of another machine', { app_path: '.', listen_address: '192.0.2.1' }, /192\.0\.2\.1/],
  ])('reports %s in one line and exits with 1', async (_name, change, message) => {
    write('gateway.json', { listen_address: '127.0.0.1', listen_port: 0, storage: { type: 'memory' }, ...change })
    const { io, ended } = await start('--conf', 'gateway.json', '--quiet')
    expect(await ended).toBe(1)
    expect(io.errorLines).toHaveLength(1)
    expect(io.errorLines[0]).toMatch(message)
    expect(io.printed).toEqual([])
  })

  it.each(frontEnds)('reports a port in use and ends with 1 (%s front end)', async (frontEnd) => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    write('apps/none.txt', '')
    write('gateway.json', {
      listen_address: '127.0.0.1',
      listen_port: port,
      storage: { type: 'memory' },
      front_end: frontEnd,
    })
    const { io, ended } = await start('--conf', 'gateway.json')
    expect(await ended).toBe(1)
    expect(io.errorLines).toEqual([
      `error: port ${port} on 127.0.0.1 is already in use; choose another with listen_port or --port`,
    ])
    server.close()
  })

  it('warns of what is dangerous and starts all the same', async () => {
    write('apps/off.json', {
      api_id: 'off',
      name: 'off',
      use_keyless: true,
      active: false,
      version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
      proxy: { listen_path: '/off/', target_url: 'http://127.0.0.1:1/' },
    })
    write('gateway.json', {
      listen_address: '127.0.0.1',
      listen_port: 0,
      secret: '',
      hash_keys: true,
      storage: { type: 'memory' },
    })
    const { io } = await start('--conf', 'gateway.json')
    const errorLines = io.errorLines.join('\n')
    expect(errorLines).toMatch(/warning {2}secret: is empty, so that every management call is rejected/)
    expect(errorLines).toMatch(/warning {2}hash_keys: keys are hashed by murmur32/)
    expect(errorLines).toMatch(/warning: "active": false has no effect, these are served: off/)
  })

  it('reports at the start what could not be loaded, and serves the rest', async () => {
    const { url } = await copyCompany()
    write('apps/broken.json', '{ "name": ')
    write(
      'apps/status-2.json',
      readFileSync(join(folder, 'apps', 'status.json'), 'utf8').replace('"status"', '"status2"'),
    )
    const { text } = await start('--conf', 'gateway.json')
    expect(text()).toMatch(/broken\.json:1:11 is not JSON.* \(not served\)/)
    expect(text()).toContain('listen path /status/ is taken: API status2 moved to /status/-status2')
    expect((await fetch(`${url}/catalogue/openapi.json`)).status).toBe(200)
  })

  it('reports of reloads and of files that broke', async () => {
    const { url } = await copyCompany()
    const { text } = await start('--conf', 'gateway.json')
    write('apps/ledger.json', '{ "name": ')
    await fetch(`${url}/svc/reload?block=true`, { headers: { 'X-Svc-Authorization': 'local-development-key' } })
    expect(text()).toMatch(/reloaded in \d+ ms: 7 APIs served/)
    expect(text()).toMatch(/ledger\.json:1:11 is not JSON.*the last good version of [\d:]+ stays in service/)
  })
})

describe('the commands that ask a running gateway', () => {
  it('make, show, list and delete keys', async () => {
    await copyCompany()
    await start('--conf', 'gateway.json')
    const io = makeTestIo({ cwd: folder })
    const run = (...args: string[]) => main(['keys', ...args, '--conf', 'gateway.json'], io)
    expect(
      await run('create', 'my-key', '--org', 'acme', '--policy', 'orders-access', '--policy', 'bronze-limits'),
    ).toBe(0)
    expect(await run('show', 'my-key', '--org', 'acme')).toBe(0)
    expect(JSON.parse(io.printed[1] ?? '')).toMatchObject({
      org_id: 'acme',
      apply_policies: ['orders-access', 'bronze-limits'],
    })
    expect(await run('list', '--json')).toBe(0)
    expect(JSON.parse(io.printed[2] ?? '').keys).toHaveLength(4)
    expect(await run('delete', 'my-key', '--org', 'acme')).toBe(0)
    expect(await run('show', 'my-key', '--org', 'acme')).toBe(1)
    expect(io.errorLines.at(-1)).toBe('404: Key not found')
    expect(await run('create', '--org', 'acme')).toBe(1)
    expect(await run('create', '--rate', '5')).toBe(2)
  })

  it('say when nobody answers', async () => {
    const io = makeTestIo({ cwd: folder })
    expect(await main(['keys', 'list', '--url', 'http://127.0.0.1:1'], io)).toBe(1)
    expect(io.errorLines[0]).toMatch(/no gateway responds at http:\/\/127\.0\.0\.1:1/)
  })

  it('explain a request stage by stage, without counting when dry', async () => {
    await copyCompany()
    await start('--conf', 'gateway.json')
    const explain = async (...args: string[]) => {
      const io = makeTestIo({ cwd: folder })
      const code = await main(
        ['explain', 'GET', '/partner/x', '-H', 'X-Partner-Key: partner-north', '--conf', 'gateway.json', ...args],
        io,
      )
      return { code, text: io.printed.join('\n') }
    }
    for (let i = 0; i < 5; i++) expect((await explain('--dry')).code).toBe(0)
    const { code, text } = await explain()
    expect(code).toBe(0)
    expect(text).toContain('GET /partner/x (API partner)')
    expect(text).toMatch(/3-admit +key-limits +\d+ µs +passes/)
    expect(text).toMatch(/response: 200/)
    await explain()
    await explain()
    const rejected = await explain('--json')
    expect(rejected.code).toBe(1)
    expect(JSON.parse(rejected.text)).toMatchObject({ api_id: 'partner', status: 403 })
  })

  it('explain in process when no gateway runs', async () => {
    await copyCompany()
    const io = makeTestIo({ cwd: folder })
    const code = await main(['explain', 'GET', '/status/maintenance', '--conf', 'gateway.json'], io)
    expect(io.errorLines[0]).toMatch(/explained in process from/)
    expect(io.printed.join('\n')).toContain('{"planned":[]}')
    expect(code).toBe(0)
  })

  it('serves the paths of a document and no others', async () => {
    const ok = (example: unknown) => ({ 200: { description: 'ok', content: { 'application/json': { example } } } })
    const header = { name: 'Content-Type', in: 'header', required: true, schema: { type: 'string' } }
    const file = { name: 'name', in: 'path', required: true, schema: { type: 'string' } }
    const size = { name: 'size', in: 'path', required: true, schema: { type: 'integer' } }
    const paths = {
      '/': { get: { operationId: 'root', responses: ok('root') } },
      '/users': { get: { operationId: 'users', parameters: [header], responses: ok('users') } },
      '/files/{name}-{size}': { get: { operationId: 'file', parameters: [file, size], responses: ok('file') } },
    }
    write('doc.json', { openapi: '3.0.3', info: { title: 'D', version: '1' }, paths })
    const port = await freePort()
    await start('doc.json', '--mock', '--port', String(port))
    const statusOf = async (path: string, method = 'GET') =>
      (await fetch(`http://127.0.0.1:${port}${path}`, { method })).status
    expect([await statusOf('/'), await statusOf('/users'), await statusOf('/users', 'HEAD')]).toEqual([200, 200, 200])
    expect([await statusOf('/files/a-b-7'), await statusOf('/files/a-b')]).toEqual([200, 422])
    expect([await statusOf('/nope'), await statusOf('/users/7'), await statusOf('/users', 'PUT')]).toEqual([
      404, 404, 404,
    ])
  })

  it('serves a document with the extension of a gateway as the extension says', async () => {
    const get = { get: { operationId: 'admin', responses: { 200: { description: 'ok' } } } }
    write('doc.json', {
      ...{ openapi: '3.0.3', info: { title: 'D', version: '1' }, paths: { '/admin': get } },
      'x-tyk-api-gateway': {
        info: { name: 'D', state: { active: true } },
        server: { listenPath: { value: '/v2/', strip: true } },
        upstream: { url: 'http://127.0.0.1:1' },
        middleware: { operations: { admin: { block: { enabled: true } } } },
      },
    })
    const port = await freePort()
    const { text } = await start('doc.json', '--port', String(port))
    expect((await fetch(`http://127.0.0.1:${port}/v2/admin`)).status).toBe(403)
    expect(text()).toContain('x-tyk-api-gateway of the document says how it is served')
  })
})
