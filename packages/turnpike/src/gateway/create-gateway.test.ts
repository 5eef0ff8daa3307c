import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeInjectedRequest } from '@turnpike/core/engine'
import { makeFakeUpstream, makeMemoryLog, makeSequentialIds, makeVirtualClock } from '@turnpike/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { frontEnds } from '../../test/support/front-ends.ts'
import { ConfigError } from './config-error.ts'
import { createGateway } from './create-gateway.ts'
import { defineApi } from './define-api.ts'
import type { GatewayOptions } from './gateway-options.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const target = 'http://upstream.test/'
const open = defineApi({ id: 'open', target, open: true })
const keyed = defineApi({ id: 'keyed', target, orgId: 'acme' })
const rights = { keyed: { api_id: 'keyed', versions: ['Default'] } }

async function makeGateway(options: GatewayOptions = {}) {
  const clock = makeVirtualClock()
  const upstream = makeFakeUpstream(clock, ({ path }) => ({ body: `upstream saw ${path}` }))
  const gateway = await createGateway({
    clock,
    upstream,
    ids: makeSequentialIds(),
    definitions: [open, keyed],
    ...options,
  })
  cleanups.push(() => gateway.close(0))
  return { gateway, clock, upstream }
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-gateway-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

describe('createGateway', () => {
  it('serves definitions without a port', async () => {
    const { gateway } = await makeGateway()
    const answer = await gateway.inject('/open/a?b=c')
    expect(answer.status).toBe(200)
    expect(answer.text()).toBe('upstream saw /a?b=c')
    expect(gateway.apis().map((api) => api.id)).toEqual(['open', 'keyed'])
  })

  it.each([
    [{ access_rights: rights }, 'bob', 'too-short', /too short.*use 4 characters or more/],
    [{ org_id: 'acme', apply_policies: ['p'] }, undefined, 'unknown-policy', /no policy "p"/],
    [{ org_id: 'other', access_rights: rights }, undefined, 'wrong-organisation', /set the organisation.*"acme"/],
    [{ org_id: 'acme', access_rights: { kyed: {} } }, undefined, 'unknown-api', /did you mean "keyed"/],
  ])('rejects keys that cannot work: %j', async (session, id, reason, message) => {
    const { gateway } = await makeGateway()
    const created = gateway.keys.create(session, id === undefined ? {} : { id })
    await expect(created).rejects.toMatchObject({
      name: 'KeyRejected',
      reason,
      message: expect.stringMatching(message),
    })
    expect(await gateway.keys.list()).toEqual([])
  })

  it('rejects unknown fields of keys, organisations and policies, and names the nearest', async () => {
    const { gateway } = await makeGateway()
    const unknown = (fields: unknown) => fields as never
    const key = gateway.keys.create(unknown({ org_id: 'acme', access_rights: rights, alais: 'x' }))
    await expect(key).rejects.toThrow('session: alais is not a known field; did you mean "alias"?')
    const deep = gateway.keys.create(unknown({ access_rights: { keyed: { allowed_url: [] } } }))
    await expect(deep).rejects.toThrow(
      'access_rights.keyed.allowed_url is not a known field; did you mean "allowed_urls"?',
    )
    const known = await gateway.keys.create({ org_id: 'acme', access_rights: rights })
    const update = gateway.keys.update(known.key, unknown({ org_id: 'acme', access_rights: rights, quotamax: 1 }))
    await expect(update).rejects.toThrow('did you mean "quota_max"?')
    const organisation = gateway.organisations.put('acme', unknown({ quotamax: 1 }))
    await expect(organisation).rejects.toThrow('did you mean "quota_max"?')
    const policy = gateway.policies.put('gold', unknown({ quotamax: 1 }))
    await expect(policy).rejects.toThrow('policy: quotamax is not a known field; did you mean "quota_max"?')
    await expect(gateway.policies.put('gold', unknown(undefined))).rejects.toThrow(
      'policy: must be an object, is missing',
    )
    expect([await gateway.keys.list(), gateway.policies.list()]).toEqual([[known.storedName], []])
  })

  it('rejects a policy with a field without effect if the configuration says strict', async () => {
    const options = { policies: { gold: { rate: 1, per: 1, quotamax: 5 } } } as unknown as GatewayOptions
    await expect(createGateway({ ...options, definitions: [open] })).resolves.toBeDefined()
    const strict = createGateway({ ...options, definitions: [open], config: { strict: true } })
    await expect(strict).rejects.toThrow(
      /gold.*quotamax is not a known field and is ignored; did you mean "quota_max"\?/,
    )
  })

  it('rejects a change after which a key could not work', async () => {
    const { gateway } = await makeGateway()
    const { key } = await gateway.keys.create({ org_id: 'acme', access_rights: rights })
    const changed = gateway.keys.update(key, { org_id: 'other', access_rights: rights })
    await expect(changed).rejects.toMatchObject({ reason: 'wrong-organisation' })
  })

  it('requires keys, counts rates and quotas on its clock', async () => {
    const { gateway, clock } = await makeGateway()
    const { key } = await gateway.keys.create({
      org_id: 'acme',
      access_rights: rights,
      rate: 2,
      per: 10,
      quota_max: 3,
      quota_renewal_rate: 3600,
    })
    const ask = async () => (await gateway.inject({ url: '/keyed/', headers: { Authorization: key } })).status
    expect((await gateway.inject('/keyed/')).status).toBe(401)
    expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429])
    clock.advance(10_000)
    expect([await ask(), await ask()]).toEqual([200, 403])
    clock.advance(3_600_000)
    expect(await ask()).toBe(200)
  })

  it('finds, changes, lists and removes keys by their short name', async () => {
    const { gateway } = await makeGateway()
    await gateway.keys.create({ org_id: 'acme', access_rights: rights, alias: 'one' }, { id: 'anna' })
    expect(await gateway.keys.get('anna', { orgId: 'acme' })).toMatchObject({ alias: 'one' })
    await gateway.keys.update('anna', { org_id: 'acme', access_rights: rights, alias: 'two' }, { orgId: 'acme' })
    expect(await gateway.keys.get('acmeanna')).toMatchObject({ alias: 'two' })
    expect(await gateway.keys.list()).toEqual(['acmeanna'])
    expect(await gateway.keys.remove('anna', { orgId: 'acme' })).toBe(true)
    expect(await gateway.keys.get('anna', { orgId: 'acme' })).toBeUndefined()
    expect(await gateway.keys.remove('anna', { orgId: 'acme' })).toBe(false)
  })

  it('rejects keys without access to any API, and documents of a wrong type', async () => {
    const { gateway } = await makeGateway()
    await expect(gateway.keys.create({ org_id: 'acme' })).rejects.toMatchObject({
      name: 'KeyRejected',
      reason: 'no-rights',
    })
    await expect(gateway.keys.update('none', { access_rights: rights })).rejects.toMatchObject({
      reason: 'unknown-key',
    })
    await expect(gateway.keys.create({ rate: 'much' } as never)).rejects.toThrow(
      'session: rate must be a number, is a text',
    )
  })

  it('applies policies, and changes of them at once', async () => {
    const gold = { org_id: 'acme', rate: 1, per: 60, access_rights: rights }
    const { gateway } = await makeGateway({ policies: { gold } })
    const { key } = await gateway.keys.create({ org_id: 'acme', apply_policies: ['gold'] })
    const ask = async () => (await gateway.inject({ url: '/keyed/', headers: { Authorization: key } })).status
    expect([await ask(), await ask()]).toEqual([200, 429])
    await gateway.policies.put('gold', { ...gold, rate: 100 })
    expect(await ask()).toBe(200)
    expect(gateway.policies.list()).toMatchObject([{ id: 'gold', rate: 100 }])
    expect(await gateway.policies.remove('gold')).toBe(true)
    expect(await ask()).toBe(401)
  })

  it('has the profile "modern" without a configuration, and "compatible" with one that names none', async () => {
    const unreachable = defineApi({ id: 'open', target: 'http://127.0.0.1:1/', open: true })
    const ask = async (config?: object) => {
      const gateway = await createGateway({
        definitions: [keyed, unreachable],
        log: 'silent',
        ...(config && { config }),
      })
      cleanups.push(() => gateway.close(0))
      const responses = [await gateway.inject('/keyed/'), await gateway.inject('/open/')]
      return responses.map(({ status, headers }) => [status, headers['www-authenticate'], headers['x-ratelimit-limit']])
    }
    expect(await ask()).toEqual([
      [401, expect.stringMatching(/^Bearer realm=/), undefined],
      [502, undefined, undefined],
    ])
    expect(await ask({ storage: { type: 'memory' } })).toEqual([
      [401, undefined, undefined],
      [500, undefined, undefined],
    ])
    const own = { profile: 'modern', auth_errors: 'compatible', upstream_errors: 'compatible' }
    expect(await ask({ storage: { type: 'memory' }, ...own })).toEqual([
      [401, undefined, undefined],
      [500, undefined, undefined],
    ])
  })

  it('counts organisations where the configuration says so', async () => {
    const { gateway } = await makeGateway({
      config: { enforce_org_quotas: true },
      definitions: [{ ...open, org_id: 'acme' }],
    })
    await gateway.organisations.put('acme', { quota_max: 1, quota_renewal_rate: 60 })
    expect((await gateway.inject('/open/')).status).toBe(200)
    expect((await gateway.inject('/open/')).status).toBe(403)
    expect(await gateway.organisations.remove('acme')).toBe(true)
    expect((await gateway.inject('/open/')).status).toBe(200)
  })

  it('answers management calls with the management key', async () => {
    const { gateway } = await makeGateway({ config: { secret: 's3cret' } })
    expect((await gateway.inject('/svc/keys')).status).toBe(403)
    const answer = await gateway.inject({ url: '/svc/keys', headers: { 'X-Svc-Authorization': 's3cret' } })
    expect(answer.json()).toEqual({ keys: [] })
    expect((await gateway.inject('/hello')).json()).toMatchObject({ status: 'pass' })
  })

  it('explains a request, without counting it in a dry run', async () => {
    const { gateway, upstream } = await makeGateway()
    const { key } = await gateway.keys.create({ org_id: 'acme', access_rights: rights, quota_max: 1 })
    const url = '/keyed/x'
    const headers = { Authorization: key }
    const dry = await gateway.explain({ url, headers, dry: true })
    expect(dry).toMatchObject({ apiId: 'keyed', status: 200 })
    expect(dry.stages.map(({ stage }) => stage)).toEqual(
      expect.arrayContaining(['auth-token', 'key-limits', 'forward']),
    )
    expect(upstream.requests).toEqual([])
    expect(await gateway.explain({ url, headers })).toMatchObject({ status: 200, body: 'upstream saw /x' })
    const spent = await gateway.explain({ url, headers })
    expect(spent.status).toBe(403)
    expect(spent.stages.at(-1)).toMatchObject({ stage: 'key-limits', verdict: 'rejects: 403 Quota exceeded' })
    expect(spent.why).toMatchObject({ setBy: [{ kind: 'key' }], message: expect.stringContaining('it never resets') })
    expect(await gateway.explain('/kyed/x')).toMatchObject({
      ...{ apiId: undefined, status: 404 },
      nearest: [{ listenPath: '/keyed/', apiId: 'keyed' }, { listenPath: '/open/' }],
    })
  })

  it('handles requests of a front end, with the paths of the gateway port', async () => {
    const { gateway } = await makeGateway()
    const response = await gateway.handle(makeInjectedRequest({ url: '/open/x' }))
    expect(response.status).toBe(200)
    expect((await gateway.handle(makeInjectedRequest({ url: '/hello' }))).status).toBe(200)
    const { gateway: separate } = await makeGateway({ config: { control_api_port: 41_234 } })
    expect((await separate.handle(makeInjectedRequest({ url: '/hello' }))).status).toBe(404)
  })

  it('takes another vendor word', async () => {
    const { gateway } = await makeGateway({ vendor: 'tyk', config: { secret: 's3cret' } })
    const answer = await gateway.inject({ url: '/tyk/keys', headers: { 'X-Tyk-Authorization': 's3cret' } })
    expect(answer.status).toBe(200)
  })

  it('reports requests, with stage and reason if they are rejected, and reloads', async () => {
    const { gateway } = await makeGateway()
    const told: string[] = []
    gateway.onRequest((entry) => told.push(`${entry.status} ${entry.apiId} ${entry.rejection?.stage ?? '-'}`))
    const stop = gateway.onReload((report) => told.push(`reload ${report.loaded}`))
    await gateway.inject('/open/')
    await gateway.inject('/keyed/')
    await gateway.reload()
    stop()
    await gateway.reload()
    expect(told).toEqual(['200 open -', '401 keyed auth-token', 'reload 2'])
  })

  it('reloads definitions: those of a function, and those of a folder', async () => {
    let list = [open]
    const { gateway } = await makeGateway({ definitions: () => list })
    expect((await gateway.inject('/late/')).status).toBe(404)
    list = [open, defineApi({ id: 'late', target, open: true })]
    expect(await gateway.reload()).toMatchObject({ loaded: 2, changed: ['late.json'] })
    expect((await gateway.inject('/late/')).status).toBe(200)

    const folder = makeFolder()
    writeFileSync(join(folder, 'open.json'), JSON.stringify(open))
    const { gateway: other } = await makeGateway({ definitions: folder })
    expect((await other.inject('/open/')).status).toBe(200)
    writeFileSync(join(folder, 'late.json'), JSON.stringify(list[1]))
    await other.reload()
    expect((await other.inject('/late/')).status).toBe(200)
  })

  it('continues with the last good version of a definition that breaks', async () => {
    const folder = makeFolder()
    writeFileSync(join(folder, 'open.json'), JSON.stringify(open))
    const { gateway } = await makeGateway({ definitions: folder })
    writeFileSync(join(folder, 'open.json'), '{ "name": ')
    const report = await gateway.reload()
    expect(report.failed).toMatchObject([{ source: 'open.json', line: 1, keptOld: true }])
    expect((await gateway.inject('/open/')).status).toBe(200)
  })

  it('reads a configuration file with its folders', async () => {
    const folder = makeFolder()
    mkdirSync(join(folder, 'apps'))
    writeFileSync(join(folder, 'apps', 'open.json'), JSON.stringify(open))
    const file = join(folder, 'gateway.json')
    writeFileSync(file, JSON.stringify({ storage: { type: 'memory' }, app_path: 'apps', listen_address: '127.0.0.1' }))
    const { gateway } = await makeGateway({ config: file, definitions: undefined } as unknown as GatewayOptions)
    expect((await gateway.inject('/open/')).status).toBe(200)
  })

  it('rejects a definition with a field without effect if the configuration says strict', async () => {
    const misspelt = { ...open, api_id: 'other', do_not_trak: true }
    const options = { definitions: [open, misspelt] } as GatewayOptions
    expect((await makeGateway(options)).gateway.apis().map(({ id }) => id)).toEqual(['open', 'other'])
    const strict = createGateway({ ...options, config: { strict: true } })
    await expect(strict).rejects.toThrow(
      /do_not_trak: is not a known field and is ignored; did you mean "do_not_track"\?/,
    )
  })

  it('names what is wrong with a configuration', async () => {
    const making = createGateway({ config: { listen_port: 'x' as unknown as number, workers: 3 } })
    await expect(making).rejects.toThrow(ConfigError)
    await expect(making).rejects.toThrow(/listen_port: must be a whole number, is a text/)
    await expect(making).rejects.toThrow(
      /workers: a gateway in a program is one process, not 3 \(start it with turnpike start/,
    )
  })

  it.each(frontEnds)('listens on a real port with the %s front end', async (frontEnd) => {
    const { gateway } = await makeGateway({ frontEnd, config: { listen_address: '127.0.0.1', listen_port: 0 } })
    const { url } = await gateway.listen()
    const answer = await fetch(`${url}/open/x`)
    expect(await answer.text()).toBe('upstream saw /x')
    expect((await fetch(`${url}/hello`)).status).toBe(200)
    expect((await fetch(`${url}/svc/keys`)).status).toBe(403)
  })

  it('keeps management and APIs on ports of their own when asked to', async () => {
    const { gateway } = await makeGateway({
      config: { listen_address: '127.0.0.1', listen_port: 0, control_api_port: 41_233 },
    })
    const { url, controlUrl } = await gateway.listen()
    expect((await fetch(`${url}/hello`)).status).toBe(404)
    expect((await fetch(`${controlUrl}/hello`)).status).toBe(200)
    expect((await fetch(`${url}/open/`)).status).toBe(200)
    expect((await fetch(`${controlUrl}/open/`)).status).not.toBe(200)
  })

  it('keeps keys on disk with the embedded store', async () => {
    const config = { data_path: join(makeFolder(), 'data') }
    const first = await makeGateway({ store: 'lmdb', config })
    const { key } = await first.gateway.keys.create({ org_id: 'acme', access_rights: rights })
    await first.gateway.close(0)
    const second = await makeGateway({ store: 'lmdb', config })
    const answer = await second.gateway.inject({ url: '/keyed/', headers: { Authorization: key } })
    expect(answer.status).toBe(200)
  })

  it('writes no credential into its log', async () => {
    const log = makeMemoryLog()
    const { gateway } = await makeGateway({ log, config: { secret: 'management-secret' } })
    const { key } = await gateway.keys.create({ org_id: 'acme', access_rights: rights }, { id: 'very-secret-key' })
    await gateway.inject({ url: '/keyed/', headers: { Authorization: key } })
    await gateway.inject({ url: '/keyed/', headers: { Authorization: 'some-other-secret' } })
    for (const secret of ['very-secret-key', 'some-other-secret', 'management-secret']) {
      expect(log.mentions(secret)).toBe(false)
    }
  })
})
