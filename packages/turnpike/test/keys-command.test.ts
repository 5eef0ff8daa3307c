/** `turnpike keys` against a running gateway: what it creates, changes, resets and lists, and why it rejects a key. */
import { rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { main } from '../src/cli/main.ts'
import { makeTestIo } from '../src/cli/test-io.ts'
import { type Folder, gatewayConfig, keyedApi, makeFolder, openApi } from './support/folder.ts'
import { freePort, type RunningGateway, startForTest } from './support/process.ts'
import { type RecordingUpstream, startRecordingUpstream } from './support/upstream.ts'

let upstream: RecordingUpstream
let folder: Folder
let gateway: RunningGateway
beforeEach(async () => {
  upstream = await startRecordingUpstream()
  folder = makeFolder({ listen_port: await freePort() })
  folder.write('apps/keyed.json', keyedApi('keyed', upstream.url))
  folder.write('apps/other.json', keyedApi('other', upstream.url, { org_id: 'other-org' }))
  folder.write('apps/open.json', openApi('open', upstream.url))
  folder.write('apps/versioned.json', {
    ...keyedApi('versioned', upstream.url),
    definition: { location: 'header', key: 'x-version' },
    version_data: { not_versioned: false, versions: { v1: { name: 'v1' }, v2: { name: 'v2' } } },
  })
  const rights = { keyed: { versions: ['Default'] } }
  folder.write('policies/slow.json', {
    ...{ id: 'slow', org_id: 'acme', rate: 2, per: 60, quota_max: 100, quota_renewal_rate: 3600 },
    access_rights: rights,
  })
  folder.write('policies/fast.json', { id: 'fast', org_id: 'acme', rate: 50, per: 1, access_rights: rights })
  folder.write('policies/abroad.json', { id: 'abroad', org_id: 'other-org', access_rights: { other: {} } })
  gateway = await startForTest(folder)
})
afterEach(async () => {
  await upstream.close()
  folder.remove()
})

const lines = (texts: readonly string[]) => texts.map((text) => `${text}\n`).join('')
/** In this process, because a start of Node for each of a hundred commands takes longer than the commands. */
async function keys(...args: string[]) {
  const io = makeTestIo({ cwd: folder.path })
  const code = await main(['keys', ...args, '--conf', 'gateway.json'], io)
  return { code, out: lines(io.printed), err: lines(io.errorLines) }
}
const use = async (key: string, path = '/keyed/x', headers: Record<string, string> = {}) =>
  (await fetch(gateway.url + path, { headers: { Authorization: key, ...headers } })).status
const sessionOf = async (key: string, ...args: string[]) => JSON.parse((await keys('show', key, ...args)).out)

describe('keys import', () => {
  it('creates the keys of files, and keeps those that exist unless --replace is given', async () => {
    const session = { org_id: 'acme', access_rights: { keyed: { versions: ['Default'] } } }
    folder.write('keys/alpha.json', { ...session, alias: 'Alpha' })
    folder.write('keys/export.json', { key_id: 'beta', key_hash: 'h', data: { ...session, apply_policies: ['slow'] } })
    folder.write('more/map.json', { gamma: session, delta: { ...session, org_id: 'elsewhere' } })
    expect(await keys('import', 'keys')).toEqual({ code: 0, out: '2 keys imported\n', err: '' })
    expect([await use('alpha'), await use('beta'), await use('gamma')]).toEqual([200, 200, 403])
    expect(await sessionOf('alpha', '--org', 'acme')).toMatchObject({ alias: 'Alpha' })
    expect(await sessionOf('beta', '--org', 'acme')).toMatchObject({ apply_policies: ['slow'] })
    expect(await keys('import', 'more/map.json', '--org', 'acme')).toMatchObject({ code: 0, out: '2 keys imported\n' })
    expect(await use('gamma')).toBe(200)

    folder.write('keys/alpha.json', { ...session, alias: 'Later' })
    folder.write('keys/broken.json', '{')
    const again = await keys('import', 'keys')
    expect(again).toMatchObject({ code: 1, out: '0 keys imported\n' })
    expect(again.err).toContain('keys/alpha.json: key "alpha" exists already; --replace overwrites it\n')
    expect(again.err).toMatch(/^keys\/broken\.json: /m)
    expect(await sessionOf('alpha', '--org', 'acme')).toMatchObject({ alias: 'Alpha' })
    expect(await keys('import', 'keys/alpha.json', '--replace')).toMatchObject({ code: 0, out: '1 key imported\n' })
    expect(await sessionOf('alpha', '--org', 'acme')).toMatchObject({ alias: 'Later' })
    expect(await keys('import', 'missing')).toMatchObject({ code: 2, err: 'error: missing does not exist\n' })
  })
})

describe('keys create', () => {
  it('takes the organisation from the policy', async () => {
    expect(await keys('create', 'anna', '--policy', 'slow', '--alias', 'Anna')).toMatchObject({ code: 0, err: '' })
    expect(await sessionOf('anna', '--org', 'acme')).toMatchObject({ org_id: 'acme', apply_policies: ['slow'] })
    expect(await use('anna')).toBe(200)
  })

  it('is found by its name and its alias, without an organisation', async () => {
    await keys('create', 'anna', '--policy', 'slow')
    const { out: random } = await keys('create', '--policy', 'slow', '--alias', 'Berta')
    expect(await sessionOf('anna')).toMatchObject({ org_id: 'acme', alias: 'anna' })
    expect(await sessionOf('Berta')).toMatchObject({ org_id: 'acme', alias: 'Berta' })
    expect(await keys('update', 'anna', '--rate', '7', '--per', '10')).toMatchObject({ code: 0 })
    expect(await keys('reset', 'Berta')).toMatchObject({ code: 0, out: 'reset: 100 of 100 requests left in 3600 s\n' })
    expect((await keys('list', '--filter', 'Ber')).out).toMatch(/^\S+ +Berta +policy slow\n$/)
    expect(await keys('delete', 'Berta')).toMatchObject({ code: 0, out: 'deleted\n' })
    expect(await use(random.trim())).not.toBe(200)
    await keys('create', '--policy', 'slow', '--alias', 'anna')
    await keys('create', 'anna', '--org', 'other-org', '--policy', 'abroad')
    expect(await keys('show', 'anna')).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^several keys have the name or alias "anna": anna \(organisation "acme"\), anna \(org/,
      ),
    })
  })

  it('expires when --expires says, and never in the past', async () => {
    await keys('create', 'anna', '--policy', 'slow', '--expires', '30d')
    expect(((await sessionOf('anna')).expires * 1000 - Date.now()) / 86_400_000).toBeCloseTo(30, 1)
    await keys('update', 'anna', '--expires', '2100-01-01')
    expect((await sessionOf('anna')).expires).toBe(Date.UTC(2100, 0, 1) / 1000)
    await keys('update', 'anna', '--expires', 'never')
    expect((await sessionOf('anna')).expires ?? 0).toBe(0)
    const past = {
      code: 2,
      err: 'the key would have expired at 2020-01-01T00:00:00.000Z (name a time in the future with --expires, such as 30d)\n',
    }
    expect(await keys('create', 'late', '--policy', 'slow', '--expires', '2020-01-01')).toMatchObject(past)
    expect(await keys('create', 'late', '--policy', 'slow', '--session', '{"expires":1577836800}')).toMatchObject(past)
    expect((await keys('create', 'late', '--expires', 'soon')).err).toContain('Write a span such as 30d')
  })

  it('takes the organisation from the APIs if it has no policy, and opens all their versions', async () => {
    expect(await keys('create', 'berta', '--api', 'keyed', '--api', 'versioned')).toMatchObject({ code: 0, err: '' })
    expect(await sessionOf('berta', '--org', 'acme')).toMatchObject({ org_id: 'acme' })
    expect(await use('berta', '/versioned/x', { 'x-version': 'v2' })).toBe(200)
  })

  it.each<[string[], RegExp]>([
    [['--policy', 'slwo'], /^the gateway has no policy "slwo" \(did you mean "slow"\?\)\n$/],
    [['--api', 'keyd'], /^the gateway has no API "keyd" \(did you mean "keyed"\?\)\n$/],
    [
      ['--org', 'nobody', '--policy', 'slow'],
      /^policy "slow" belongs to organisation "acme", and the key to organisation "nobody" \(set the organisation/,
    ],
    [
      ['--policy', 'slow', '--policy', 'abroad'],
      /^the policies belong to different organisations: "slow" \(acme\), "abroad" \(other-org\)/,
    ],
    [
      ['--org', 'acme', '--api', 'other'],
      /^API "other" belongs to organisation "other-org", and the key to organisation "acme"/,
    ],
    [['--alias', 'nothing'], /^the key opens no API \(add --policy ID or --api ID\)\n$/],
    [['bob', '--policy', 'slow'], /^the name "bob" is too short: .*\(use 4 characters or more\)\n$/],
  ])('names why a key cannot work: %j', async (args, message) => {
    expect(await keys('create', ...args)).toMatchObject({ code: 1, out: '', err: expect.stringMatching(message) })
    expect((await keys('list')).out).toBe('')
  })

  it('does not replace a key', async () => {
    await keys('create', 'anna', '--policy', 'slow')
    expect(await keys('create', 'anna', '--policy', 'fast')).toMatchObject({
      code: 1,
      err: 'key "anna" exists already (change it with: turnpike keys update anna)\n',
    })
    expect(await sessionOf('anna', '--org', 'acme')).toMatchObject({ apply_policies: ['slow'] })
  })

  it('warns if a policy replaces limits of the command line', async () => {
    const made = await keys('create', '--policy', 'slow', '--rate', '9', '--per', '1', '--quota', '5')
    expect(made).toMatchObject({ code: 0 })
    expect(made.err).toBe(
      'warning: --rate and --per have no effect: the policy "slow" sets 2 requests in 60 s\n' +
        'warning: --quota has no effect: the policy "slow" sets a quota of 100\n',
    )
  })

  it('names the line of a mistake in a session file, and the type of a wrong field', async () => {
    folder.write('session.json', '{\n  "org_id": "acme",\n  oops\n}')
    expect(await keys('create', '--session', '@session.json')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^--session: session\.json:3:3: /),
    })
    expect(await keys('create', '--session', '{"rate":"fast"}')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^--session: session: rate /),
    })
  })

  it('names the management key as the cause of a 403', async () => {
    expect(await keys('create', '--policy', 'slow', '--secret', 'wrong')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^403: .*name another with --secret/),
    })
  })
})

describe('keys list', () => {
  it.each([true, false])('shows aliases, policies and APIs (hash_keys %s)', async (hash_keys) => {
    await gateway.stop()
    folder.write('gateway.json', gatewayConfig({ listen_port: gateway.port, hash_keys }))
    await startForTest(folder)
    await keys('create', 'anna', '--policy', 'slow', '--alias', 'Anna')
    await keys('create', 'berta', '--api', 'keyed', '--alias', 'Berta, shop')
    const lines = (await keys('list')).out.trim().split('\n')
    expect(lines.map((line) => line.replace(/^\S+ +/, '')).sort()).toEqual([
      'Anna         policy slow',
      'Berta, shop  API keyed',
    ])
    const { keys: names, details } = JSON.parse((await keys('list', '--json')).out)
    expect(names).toHaveLength(2)
    expect(details).toContainEqual({
      key: expect.stringMatching(/^\S+$/),
      alias: 'Anna',
      org_id: 'acme',
      apply_policies: ['slow'],
      apis: ['keyed'],
    })
    expect((await keys('list', '--names-only')).out.trim().split('\n')).toEqual(names)
  })
})

describe('keys update', () => {
  it('changes what the options name and keeps the rest and the counters', async () => {
    await keys('create', 'anna', '--api', 'keyed', '--quota', '5', '--quota-renews', '3600', '--alias', 'Anna')
    await use('anna')
    expect(await keys('update', 'anna', '--org', 'acme', '--rate', '7', '--per', '10')).toMatchObject({
      code: 0,
      out: 'updated; its counters are kept\n',
      err: '',
    })
    expect(await sessionOf('anna', '--org', 'acme')).toMatchObject({
      ...{ alias: 'Anna', rate: 7, per: 10, quota_max: 5, quota_remaining: 4, org_id: 'acme' },
    })
  })

  it('accepts a key that names an API that was removed since, but no new right on such an API', async () => {
    await keys('create', 'anna', '--api', 'keyed', '--api', 'open')
    rmSync(folder.file('apps', 'open.json'))
    await gateway.manage('GET', '/svc/reload?block=true')
    expect(await keys('update', 'anna', '--org', 'acme', '--alias', 'A')).toMatchObject({ code: 0, err: '' })
    expect(await keys('update', 'anna', '--org', 'acme', '--api', 'open')).toMatchObject({ code: 1 })
  })

  it('replaces the policies and the rights that they gave', async () => {
    await keys('create', 'anna', '--policy', 'slow')
    expect(await keys('update', 'anna', '--org', 'acme', '--policy', 'fast')).toMatchObject({ code: 0 })
    expect(await sessionOf('anna', '--org', 'acme')).toMatchObject({ apply_policies: ['fast'], rate: 50 })
  })

  it('rejects unknown policies, unknown keys and a call without changes', async () => {
    await keys('create', 'anna', '--policy', 'slow')
    const anna = ['update', 'anna', '--org', 'acme']
    expect(await keys(...anna, '--policy', 'fsat')).toMatchObject({ code: 1, err: expect.stringContaining('"fast"?') })
    expect(await keys(...anna)).toMatchObject({ code: 2, err: expect.stringMatching(/^nothing to change/) })
    expect(await keys('update', 'nobody', '--alias', 'x')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^404/),
    })
  })
})

describe('keys reset', () => {
  it('gives the key its whole quota again', async () => {
    await keys('create', 'anna', '--api', 'keyed', '--quota', '2', '--quota-renews', '3600')
    expect([await use('anna'), await use('anna'), await use('anna')]).toEqual([200, 200, 403])
    expect(await keys('reset', 'anna', '--org', 'acme')).toMatchObject({
      code: 0,
      out: 'reset: 2 of 2 requests left in 3600 s\n',
      err: '',
    })
    expect([await use('anna'), await use('anna'), await use('anna')]).toEqual([200, 200, 403])
    const { out } = await keys('reset', 'anna', '--org', 'acme', '--json')
    expect(JSON.parse(out)).toMatchObject({ quotas: [{ quota_max: 2, quota_remaining: 2, quota_renewal_rate: 3600 }] })
  })

  it('resets the quota that a policy sets', async () => {
    folder.write('policies/once.json', {
      ...{ id: 'once', org_id: 'acme', quota_max: 1, quota_renewal_rate: 60 },
      access_rights: { keyed: { versions: ['Default'] } },
    })
    await gateway.manage('GET', '/svc/reload?block=true')
    await keys('create', 'anna', '--policy', 'once')
    expect([await use('anna'), await use('anna')]).toEqual([200, 403])
    expect(await keys('reset', 'anna', '--org', 'acme')).toMatchObject({ code: 0 })
    expect(await use('anna')).toBe(200)
  })

  it('names the setting that keeps quotas from being reset', async () => {
    folder.write('apps/keyed.json', keyedApi('keyed', upstream.url, { dont_set_quota_on_create: true }))
    await gateway.manage('GET', '/svc/reload?block=true')
    await keys('create', 'anna', '--api', 'keyed', '--quota', '2', '--quota-renews', '3600')
    expect(await keys('reset', 'anna', '--org', 'acme')).toMatchObject({
      code: 1,
      err: expect.stringContaining('dont_set_quota_on_create'),
    })
  })
})

describe('seeded keys', () => {
  it('that cannot work are reported at the start, with the fix, and not created', async () => {
    await gateway.stop()
    const config = { listen_port: gateway.port, seed: 'seed.json' }
    folder.write('gateway.json', gatewayConfig(config))
    folder.write('seed.json', {
      keys: {
        bob: { org_id: 'acme', apply_policies: ['slow'] },
        clara: { org_id: 'other-org', apply_policies: ['slow'] },
        dora: { org_id: 'acme', apply_policies: ['slow'] },
      },
    })
    const started = await startForTest(folder)
    await expect.poll(started.err).toContain('key bob of the seed file: the name "bob" is too short')
    expect(started.err()).toMatch(
      /key clara of the seed file: policy "slow" belongs to organisation "acme".*set the organisation/,
    )
    expect((await keys('list')).out.trim().split('\n')).toHaveLength(1)
  })
})
