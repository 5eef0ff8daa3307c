/** The command as its users meet it: what it prints, what it answers, and its exit codes. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Folder, gatewayConfig, keyedApi, makeFolder, managementKey, openApi } from './support/folder.ts'
import { finished, freePort, runCommand, startForTest } from './support/process.ts'
import { type RecordingUpstream, startRecordingUpstream } from './support/upstream.ts'

let upstream: RecordingUpstream
let folder: Folder
let port: number
beforeEach(async () => {
  upstream = await startRecordingUpstream()
  port = await freePort()
  folder = makeFolder({ listen_port: port })
  folder.write('apps/open.json', openApi('open', upstream.url))
  folder.write('apps/keyed.json', keyedApi('keyed', upstream.url))
  folder.write('policies/slow.json', {
    id: 'slow',
    org_id: 'acme',
    rate: 2,
    per: 60,
    quota_max: 100,
    quota_renewal_rate: 3600,
    access_rights: { keyed: { versions: ['Default'] } },
  })
})
afterEach(async () => {
  await upstream.close()
  folder.remove()
})

const turnpike = (...args: string[]) => finished(folder.path, args)
const keys = (...args: string[]) => turnpike('keys', ...args, '--conf', 'gateway.json')
const explain = (...args: string[]) => turnpike('explain', ...args, '--conf', 'gateway.json')

describe('turnpike start', () => {
  it('prints what it serves, and one line a request, to a pipe as well', async () => {
    const gateway = await startForTest(folder)
    await expect.poll(gateway.out).toContain(`listens on http://127.0.0.1:${port}`)
    await expect
      .poll(gateway.out)
      .toMatch(/ keyed +\/keyed\/ +-> http:\/\/127\.0\.0\.1:\d+\/ +key in header Authorization\n/)
    await expect.poll(gateway.out).toMatch(/ open +\/open\/ +-> http:\/\/127\.0\.0\.1:\d+\/ +open\n/)
    const { key } = JSON.parse((await keys('create', '--org', 'acme', '--policy', 'slow', '--json')).out)
    const ask = (path: string, headers: Record<string, string> = {}) => fetch(gateway.url + path, { headers })
    await ask('/open/a?secret=query')
    for (let i = 0; i < 3; i++) await ask('/keyed/b', { Authorization: key })
    await ask('/keyed/c')
    await ask('/nowhere')
    const requests = () =>
      gateway
        .out()
        .split('\n')
        .filter((line) => /^\d\d:\d\d:\d\d \d{3} /.test(line))
    await expect.poll(() => requests().length).toBe(6)
    const shape = (end: string) => expect.stringMatching(new RegExp(`^\\d\\d:\\d\\d:\\d\\d ${end}$`))
    expect(requests()).toEqual([
      shape('200 GET /open/a {2}open {2}\\d+ ms'),
      shape('200 GET /keyed/b {2}keyed {2}\\d+ ms {2}key [0-9a-f]{12}'),
      shape('200 GET /keyed/b {2}keyed {2}\\d+ ms {2}key [0-9a-f]{12}'),
      shape('429 GET /keyed/b {2}keyed {2}\\d+ ms {2}key [0-9a-f]{12} {2}rejected by key-limits: Rate Limit Exceeded'),
      shape('401 GET /keyed/c {2}keyed {2}\\d+ ms {2}rejected by auth-token: Authorization field missing'),
      shape('404 GET /nowhere {2}\\d+ ms {2}rejected by route: Not Found'),
    ])
    expect(await gateway.stop()).toBe(0)
  })

  it('prints nothing of it with --quiet, and events with --json', async () => {
    const events = await startForTest(folder, ['--json'])
    await fetch(`${events.url}/open/a`)
    await expect.poll(() => events.out()).toContain('"event":"request"')
    await events.stop()
    const lines = events
      .out()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ event }) => event)).toEqual(['started', 'request', 'note'])
    expect(lines[1]).toMatchObject({ status: 200, apiId: 'open', listenPath: '/open/', path: '/a' })

    const quiet = runCommand(folder.path, ['start', '--conf', 'gateway.json', '--quiet'])
    await expect
      .poll(
        () =>
          fetch(`${events.url}/ready`).then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 10_000 },
      )
      .toBe(200)
    await fetch(`${events.url}/open/a`)
    quiet.child.kill('SIGINT')
    expect([await quiet.ended, quiet.text()]).toEqual([0, ''])
  })

  it('reloads by itself when a file is changed, added, broken, fixed or removed', { timeout: 90_000 }, async () => {
    const gateway = await startForTest(folder, ['--watch'])
    const status = async (path: string) => (await fetch(gateway.url + path)).status
    const soon = { timeout: 15_000 }
    folder.write('apps/open.json', openApi('open', `${upstream.url}moved/`))
    await expect
      .poll(() => gateway.out(), soon)
      .toMatch(/reloaded in \d+ ms: 2 APIs served; 1 policy; changed: open\.json/)
    await status('/open/a')
    expect(upstream.seen.at(-1)?.url).toBe('/moved/a')
    folder.write('apps/third.json', openApi('third', upstream.url))
    await expect.poll(() => status('/third/a'), soon).toBe(200)
    folder.write('apps/third.json', '{ "name": ')
    await expect
      .poll(() => gateway.out(), soon)
      .toMatch(/third\.json:1:11 is not JSON.*the last good version of [\d:]+ stays in service/)
    expect(await status('/third/a')).toBe(200)
    rmSync(folder.file('apps', 'third.json'))
    await expect.poll(() => status('/third/a'), soon).toBe(404)
    folder.write('policies/slow.json', { id: 'slow', org_id: 'acme', rate: 9, per: 60, access_rights: { keyed: {} } })
    const reloads = () => gateway.out().match(/reloaded in/g)?.length
    await expect.poll(reloads, soon).toBe(5)
  })
})

describe('turnpike keys', () => {
  it('makes, shows, lists and deletes keys of a running gateway', async () => {
    const gateway = await startForTest(folder)
    const use = async (key: string) =>
      (await fetch(`${gateway.url}/keyed/x`, { headers: { Authorization: key } })).status
    const made = await keys('create', '--org', 'acme', '--policy', 'slow')
    expect(made).toMatchObject({ code: 0, err: '' })
    const key = made.out.trim()
    expect(await use(key)).toBe(200)
    expect(
      await keys(
        'create',
        'anna',
        '--org',
        'acme',
        '--api',
        'keyed',
        '--rate',
        '5',
        '--per',
        '10',
        '--quota',
        '7',
        '--alias',
        'Anna',
      ),
    ).toMatchObject({ code: 0 })
    expect(await use('anna')).toBe(200)
    const shown = await keys('show', 'anna', '--org', 'acme')
    expect(JSON.parse(shown.out)).toMatchObject({ rate: 5, per: 10, quota_max: 7, alias: 'Anna', org_id: 'acme' })
    const listed = await keys('list')
    expect(listed.out.trim().split('\n')).toHaveLength(2)
    const [hash] = JSON.parse((await keys('list', '--json')).out).keys as string[]
    expect(await keys('show', hash ?? '', '--hashed')).toMatchObject({ code: 0 })
    expect(await keys('delete', 'anna', '--org', 'acme')).toMatchObject({ code: 0, out: 'deleted\n' })
    expect(await use('anna')).toBe(403)
    expect(await keys('delete', key)).toMatchObject({ code: 0 })
    expect((await keys('list')).out).toBe('')
  })

  it('takes a session as JSON, from a file as well', async () => {
    await startForTest(folder)
    folder.write('session.json', { org_id: 'acme', apply_policies: ['slow'], alias: 'from a file' })
    expect(await keys('create', 'from-file', '--session', '@session.json')).toMatchObject({ code: 0 })
    expect((await keys('show', 'from-file', '--org', 'acme')).out).toContain('from a file')
    expect(await keys('create', 'b', '--session', '{ nonsense')).toMatchObject({ code: 2 })
    expect(await keys('create', 'b', '--session', '@nowhere.json')).toMatchObject({ code: 2 })
  })

  it('says what is wrong and how to fix it, with 1 for findings and 2 for wrong use', async () => {
    expect(await keys('list')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/no gateway responds at http:\/\/127\.0\.0\.1:\d+.*turnpike start/),
    })
    await startForTest(folder)
    expect(await keys('show', 'nobody')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^404: Key not found.*--org/),
    })
    expect(await keys('delete', 'nobody')).toMatchObject({ code: 1, err: expect.stringContaining('404') })
    expect(await keys('create', 'x', '--org', 'acme', '--policy', 'slwo')).toMatchObject({
      code: 1,
      err: expect.stringContaining('slwo'),
    })
    expect(await keys('list', '--secret', 'wrong')).toMatchObject({ code: 1, err: expect.stringContaining('403') })
    expect(await keys('create', '--rate', '5')).toMatchObject({ code: 2, err: expect.stringContaining('--per') })
    expect(await keys('create', '--rate', 'many')).toMatchObject({ code: 2 })
    expect(await keys('show')).toMatchObject({ code: 2 })
    expect(await turnpike('keys')).toMatchObject({ code: 2 })
    expect(await turnpike('keys', 'list', '--conf', 'nowhere.json')).toMatchObject({
      code: 2,
      err: expect.stringContaining('does not exist'),
    })
    expect(readdirSync(folder.path)).not.toContain('nowhere.json')
  })
})

describe('turnpike explain', () => {
  it('reports what each stage of a running gateway did, and counts nothing when it is dry', async () => {
    const gateway = await startForTest(folder)
    await keys('create', 'anna', '--org', 'acme', '--policy', 'slow')
    const header = ['-H', 'Authorization: anna']
    for (let i = 0; i < 4; i++) {
      const { code, out } = await explain('GET', '/keyed/x?y=1', ...header, '--dry')
      expect(code).toBe(0)
      expect(out).toMatch(/GET \/keyed\/x\?y=1 \(API keyed, dry: nothing is counted or sent\)/)
      expect(out).toMatch(/2-identify +auth-token +\d+ µs +passes\n +session of key [0-9a-f]+/)
      expect(out).toMatch(
        /3-admit +key-limits +\d+ µs +passes\n +rate .*: 2 of 2 in 60 s left\n +quota .*: 100 of 100 left/,
      )
      expect(out).toMatch(/5-respond +forward +\d+ µs +responds: 200\n +would send GET \/x\?y=1 to 127\.0\.0\.1:\d+/)
    }
    expect(upstream.seen).toEqual([])
    expect((await explain('GET', '/keyed/x', ...header)).out).toMatch(/response: 200, stages took \d+ µs/)
    expect(upstream.seen).toHaveLength(1)
    expect((await explain('GET', '/keyed/x', ...header)).code).toBe(0)
    const over = await explain('GET', '/keyed/x', ...header, '--json')
    expect(over.code).toBe(1)
    expect(JSON.parse(over.out)).toMatchObject({
      api_id: 'keyed',
      status: 429,
      why: {
        code: 'rate-exceeded',
        message: expect.stringMatching(/^policy "slow" sets the rate of 2 requests in 60 s; retry in \d+ s, at /),
        set_by: [{ kind: 'policy', id: 'slow', name: '' }],
        retry_at: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    })
    expect((await explain('GET', '/keyed/x', ...header)).out).toMatch(
      /^why: policy "slow" sets the rate of 2 requests/m,
    )
    expect(JSON.parse(over.out).stages.at(-1)).toMatchObject({
      stage: 'key-limits',
      phase: '3-admit',
      verdict: 'rejects: 429 Rate Limit Exceeded',
    })
    expect(gateway.out()).not.toMatch(/GET \/keyed\/x/)
  })

  it('sends a body, and reports when no API has the path', async () => {
    await startForTest(folder)
    expect(await explain('POST', '/open/x', '-d', 'the body')).toMatchObject({ code: 0 })
    expect(upstream.seen).toMatchObject([{ method: 'POST', body: 'the body' }])
    expect(await explain('GET', '/nowhere')).toMatchObject({
      code: 1,
      out: expect.stringContaining('GET /nowhere (no API)'),
    })
    expect(await explain('GET', '/kyed/x')).toMatchObject({
      code: 1,
      out: expect.stringContaining(
        'why: no API has this path; the nearest listen paths are /keyed/ (keyed), /open/ (open)\n',
      ),
    })
    const { nearest } = JSON.parse((await explain('GET', '/kyed/x', '--json')).out)
    expect(nearest[0]).toEqual({ listen_path: '/keyed/', api_id: 'keyed', name: 'keyed' })
  })

  it('works on the files alone when no gateway runs', async () => {
    const { code, out, err } = await explain('GET', '/open/x', '--dry')
    expect(err).toMatch(/no gateway responds at .*; explained in process from .*gateway\.json/)
    expect(out).toMatch(/5-respond +forward/)
    expect([code, upstream.seen]).toEqual([0, []])
    expect(await explain('GET', '/keyed/x')).toMatchObject({ code: 1, out: expect.stringMatching(/rejects: 401/) })
    expect(await turnpike('explain', 'GET', '/x', '--url', `http://127.0.0.1:${port}`)).toMatchObject({
      code: 1,
      out: '',
    })
  })

  it.each([[['GET']], [[]], [['GET', 'no-slash']], [['GET', '/x', '-H', 'no colon']], [['GET', '/x', '--dri']]])(
    'ends with 2 on wrong use: %j',
    async (args) => {
      expect(await explain(...args)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/\S/) })
    },
  )
})

describe('every command', () => {
  it.each([
    [],
    ['start'],
    ['check'],
    ['explain'],
    ['keys'],
    ['keys', 'create'],
    ['keys', 'show'],
    ['keys', 'list'],
    ['keys', 'update'],
    ['keys', 'reset'],
    ['keys', 'delete'],
    ['verify'],
    ['sim'],
    ['bench'],
    ['version'],
  ])('helps: %s %s', async (...words) => {
    const { code, out, err } = await turnpike(...words, '--help')
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^Usage: turnpike/)
    expect(out).not.toContain('(default: [])')
    if (words.length > 0 && words.join() !== 'keys') expect(out).toContain('--json')
  })

  it.each([
    ['frobnicate'],
    ['start', '--prot', '1'],
    ['start', '--port', '70000'],
    ['check', 'apps', 'more'],
    ['check', '--josn'],
    ['keys', 'frobnicate'],
    ['version', '--x'],
    ['sim', 'nowhere.yml', '--runs', '0'],
    ['verify', '--seconds', '-1'],
    ['verify', '--seed', '1.5'],
    ['bench', '--rounds', 'many'],
    ['keys', 'create', '--quota', '-5'],
  ])('ends with 2 on wrong use, with a hint and nothing done: %s %s', async (...words) => {
    const before = readdirSync(folder.path)
    const { code, out, err } = await turnpike(...words)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/^error: /)
    expect(readdirSync(folder.path)).toEqual(before)
  })

  it.each(['check', 'verify', 'bench', 'start'])(
    '%s reports that the folder of definitions is missing',
    async (name) => {
      const config = name === 'start' ? ['--conf', 'gateway.json'] : ['nowhere']
      if (name === 'start') folder.write('gateway.json', gatewayConfig({ listen_port: port, app_path: 'nowhere' }))
      const { code, text } = await turnpike(name, ...config)
      expect(code).toBe(1)
      expect(text).toMatch(/nowhere.*does not exist/)
    },
  )

  it('reads another vendor’s word all the way', async () => {
    folder.write('gateway.json', gatewayConfig({ listen_port: port, vendor: 'tyk' }))
    const gateway = await startForTest(folder)
    await expect.poll(gateway.out).toContain('X-Tyk-Authorization')
    expect(await keys('create', 'anna', '--org', 'acme', '--api', 'keyed')).toMatchObject({ code: 0 })
    expect(await explain('GET', '/keyed/x', '-H', 'Authorization: anna', '--dry')).toMatchObject({ code: 0 })
    const response = await fetch(`${gateway.url}/tyk/keys`, { headers: { 'X-Tyk-Authorization': managementKey } })
    expect(response.status).toBe(200)
  })

  it('runs from any folder, with paths that begin at the configuration', async () => {
    const elsewhere = makeFolder()
    cpSync(fileURLToPath(new URL('../../../fixtures/company', import.meta.url)), elsewhere.file('company'), {
      recursive: true,
    })
    const conf = elsewhere.file('company', 'gateway.json')
    writeFileSync(conf, readFileSync(conf, 'utf8').replace('"../../.turnpike"', '"data"'))
    expect(await turnpike('check', '--conf', conf)).toMatchObject({ code: 0 })
    expect(await turnpike('check', elsewhere.file('company'))).toMatchObject({ code: 0 })
    elsewhere.remove()
  })
})
