/** `turnpike start --watch`: what a change of a file or of the configuration does, and that it is reported once. */
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Folder, gatewayConfig, keyedApi, makeFolder, openApi } from './support/folder.ts'
import { freePort, type RunningGateway, startForTest } from './support/process.ts'
import { type RecordingUpstream, startRecordingUpstream } from './support/upstream.ts'

let upstream: RecordingUpstream
let folder: Folder
let port: number
beforeEach(async () => {
  upstream = await startRecordingUpstream()
  port = await freePort()
  folder = makeFolder({ listen_port: port })
  folder.write('apps/open.json', openApi('open', upstream.url))
  folder.write('policies/slow.json', { id: 'slow', org_id: 'acme', rate: 2, per: 60, access_rights: { open: {} } })
})
afterEach(async () => {
  await upstream.close()
  folder.remove()
})

const soon = { timeout: 15_000 }
/** Longer than the debounce and the poll of the watcher. */
const settled = () => sleep(3000)
const configure = (change: object) => folder.write('gateway.json', gatewayConfig({ listen_port: port, ...change }))
const reloads = (gateway: RunningGateway) => gateway.out().match(/^reloaded in .*$/gm) ?? []

describe('a change of a file', { timeout: 60_000 }, () => {
  it('is reported once, although the editor writes twice', async () => {
    const gateway = await startForTest(folder, ['--watch'])
    const changed = JSON.stringify(openApi('open', `${upstream.url}moved/`))
    writeFileSync(folder.file('apps', 'open.json'), changed)
    await sleep(400)
    writeFileSync(folder.file('apps', 'open.json'), changed)
    await expect.poll(() => reloads(gateway).length, soon).toBe(1)
    await settled()
    expect(reloads(gateway)).toEqual([expect.stringContaining('changed: open.json')])
  })

  it('by the management API is reported once, although the folder is watched', async () => {
    const gateway = await startForTest(folder, ['--watch'])
    await gateway.manage('POST', '/svc/apis', openApi('second', upstream.url))
    await gateway.manage('GET', '/svc/reload?block=true')
    expect(reloads(gateway)).toEqual([expect.stringContaining('changed: second.json')])
    await settled()
    expect(reloads(gateway)).toHaveLength(1)
  })

  it('is reported once for definitions and policies that change together', async () => {
    const gateway = await startForTest(folder, ['--watch'])
    folder.write('policies/slow.json', '{\n  "id": "slow",\n  "rate": "fast"\n}')
    await expect
      .poll(() => gateway.out(), soon)
      .toMatch(/ {2}policies\/slow\.json:3:11 rate must be a number.*the last good version of [\d:]+ stays in service/)
    await settled()
    expect(reloads(gateway)).toHaveLength(1)
  })

  it('is reported on SIGHUP even if nothing changed', async () => {
    const gateway = await startForTest(folder, ['--no-watch'])
    gateway.child.kill('SIGHUP')
    await expect.poll(() => reloads(gateway), soon).toEqual([expect.stringContaining('1 API served; 1 policy')])
  })
})

describe('a change of the configuration', { timeout: 60_000 }, () => {
  it('is applied where that is possible, and the rest is named', async () => {
    folder.write('apps/slow.json', openApi('slow', `${upstream.url}slow/`))
    const gateway = await startForTest(folder, ['--watch'])
    configure({ proxy_default_timeout: 1, log_level: 'debug', secret: 'another-management-key' })
    await expect.poll(() => gateway.out(), soon).toContain('gateway.json: applied proxy_default_timeout, log_level\n')
    expect(gateway.out()).toContain('  restart the gateway to apply secret\n')
    expect((await gateway.manage('GET', '/svc/keys')).status).toBe(200)
    expect((await fetch(`${gateway.url}/open/a`)).status).toBe(200)
    await settled()
    expect(gateway.out().match(/gateway\.json: applied/g)).toHaveLength(1)
    expect(reloads(gateway)).toEqual([])
  })

  it('changes the headers of APIs whose definitions did not change', async () => {
    folder.write('apps/keyed.json', keyedApi('keyed', upstream.url))
    configure({ rate_limit_response_headers: 'quotas' })
    const gateway = await startForTest(folder, ['--watch'])
    const session = {
      org_id: 'acme',
      rate: 9,
      per: 60,
      quota_max: 9,
      access_rights: { keyed: { versions: ['Default'] } },
    }
    await gateway.manage('POST', '/svc/keys/anna', session)
    const headers = async () => (await fetch(`${gateway.url}/keyed/x`, { headers: { Authorization: 'anna' } })).headers
    expect((await headers()).has('ratelimit')).toBe(false)
    configure({ rate_limit_headers: 'ietf' })
    await expect.poll(() => gateway.out(), soon).toContain('rate_limit_headers')
    expect((await headers()).has('ratelimit')).toBe(true)
  })

  it('changes the management API', async () => {
    const gateway = await startForTest(folder, ['--watch'])
    expect((await gateway.manage('GET', '/svc/keys')).status).toBe(200)
    configure({ enable_hashed_keys_listing: false })
    await expect.poll(() => gateway.out(), soon).toContain('applied enable_hashed_keys_listing')
    expect((await gateway.manage('GET', '/svc/keys')).status).toBe(404)
  })

  it('with a mistake leaves the last good version in service and names line and column', async () => {
    const gateway = await startForTest(folder, ['--watch'])
    const good = readFileSync(folder.file('gateway.json'), 'utf8')
    folder.write('gateway.json', '{\n  "listen_port": oops\n}')
    await expect
      .poll(() => gateway.out(), soon)
      .toMatch(/gateway\.json cannot be used; .*last good version stays in service\n {2}\S+gateway\.json:2:18 {2}error/)
    expect((await fetch(`${gateway.url}/open/a`)).status).toBe(200)
    folder.write('gateway.json', good)
    await expect.poll(() => gateway.out(), soon).toContain('gateway.json was read again')
  })

  it('is an event of its own with --json', async () => {
    const gateway = await startForTest(folder, ['--watch', '--json'])
    configure({ storage_outage: 'allow' })
    const events = () =>
      gateway
        .out()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .filter(({ event }) => event === 'config')
    await expect
      .poll(events, soon)
      .toEqual([
        expect.objectContaining({ applied: ['storage_outage'], needRestart: [], rejected: false, findings: [] }),
      ])
  })
})
