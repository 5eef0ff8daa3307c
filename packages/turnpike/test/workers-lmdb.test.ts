/** Several processes on one port and one data folder: exact counts, one version, and what survives which crash. */
import { readdirSync, rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { unwrap } from '../src/client/index.ts'
import { type Folder, gatewayConfig, keyedApi, makeFolder, openApi, sessionFor } from './support/folder.ts'
import { frontEnds, type TestedFrontEnd } from './support/front-ends.ts'
import { finished, freePort, type RunningGateway, startForTest } from './support/process.ts'
import { type RecordingUpstream, startRecordingUpstream } from './support/upstream.ts'

const soon = { timeout: 30_000 }
const pidsIn = (text: string) =>
  [...text.matchAll(/\d workers (?:serve|were restarted) \(([\d, ]+)\)/g)].at(-1)?.[1]?.split(', ').map(Number) ?? []

let upstream: RecordingUpstream
let folder: Folder
beforeEach(async () => {
  upstream = await startRecordingUpstream()
  folder = makeFolder()
})
afterEach(async () => {
  await upstream.close()
  folder.remove()
})

async function start(frontEnd: TestedFrontEnd = 'http1', config: object = {}): Promise<RunningGateway> {
  const listenPort = await freePort()
  folder.write(
    'gateway.json',
    gatewayConfig({ listen_port: listenPort, front_end: frontEnd, workers: 2, data_path: 'data', ...config }),
  )
  folder.write('apps/keyed.json', keyedApi('keyed', upstream.url))
  return restart()
}

async function restart(): Promise<RunningGateway> {
  const gateway = await startForTest(folder)
  await expect.poll(() => pidsIn(gateway.out()).length, soon).toBe(2)
  return gateway
}

const createKey = async ({ client }: RunningGateway, limits: object) =>
  unwrap(await client.keys.createKey({ body: { ...sessionFor('keyed'), ...limits } })).key ?? ''

/**
 * The status of a request on a connection of its own, which either worker may get; 0: the connection broke, or had no
 * response in time, as the page of workers says of connections on the way to a worker that is killed.
 */
const statusOf = async ({ url }: RunningGateway, key: string, path = '/keyed/a') => {
  try {
    const signal = AbortSignal.timeout(15_000)
    return (await fetch(url + path, { headers: { Authorization: key, Connection: 'close' }, signal })).status
  } catch {
    return 0
  }
}

/** Sends requests, `atOnce` at a time, and counts their statuses. */
async function countStatuses(gateway: RunningGateway, key: string, requests: number, atOnce = 16) {
  const counts: Record<number, number> = {}
  let left = requests
  const client = async () => {
    while (left-- > 0) {
      const status = await statusOf(gateway, key)
      counts[status] = (counts[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, client))
  return counts
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe.each(frontEnds)('two workers on one folder, %s', (frontEnd) => {
  it('admit exactly the rate and the quota of a key', { timeout: 90_000 }, async () => {
    const gateway = await start(frontEnd)
    const byQuota = await createKey(gateway, { quota_max: 40, quota_renewal_rate: 3600 })
    expect(await countStatuses(gateway, byQuota, 120)).toEqual({ 200: 40, 403: 80 })
    const byRate = await createKey(gateway, { rate: 50, per: 3600 })
    expect(await countStatuses(gateway, byRate, 120)).toEqual({ 200: 50, 429: 70 })
    expect(await gateway.stop()).toBe(0)
  })
})

it('both see a changed key before the call that changes it is answered', { timeout: 90_000 }, async () => {
  const gateway = await start()
  const body = { ...sessionFor('keyed'), is_inactive: false }
  await gateway.manage('POST', '/svc/keys/acmek', body)
  const stale: number[] = []
  for (let change = 0; change < 20; change++) {
    const inactive = change % 2 === 0
    await gateway.manage('PUT', '/svc/keys/acmek', { ...body, is_inactive: inactive })
    const statuses = await Promise.all(Array.from({ length: 8 }, () => statusOf(gateway, 'acmek')))
    stale.push(...statuses.filter((status) => status !== (inactive ? 403 : 200)))
  }
  expect(stale).toEqual([])
})

it('a definition is served by both after a reload, and by none if one cannot', { timeout: 90_000 }, async () => {
  const gateway = await start()
  folder.write('apps/more.json', openApi('more', upstream.url))
  expect((await gateway.manage('GET', '/svc/reload/group')).status).toBe(200)
  const statuses = await Promise.all(Array.from({ length: 12 }, () => statusOf(gateway, '', '/more/a')))
  expect(statuses).toEqual(Array(12).fill(200))
  interface Nodes {
    readonly converged: boolean
    readonly nodes: readonly { readonly apis: number }[]
  }
  const { converged, nodes } = (await gateway.manage('GET', '/svc/nodes')).body as Nodes
  expect([converged, nodes.map(({ apis }) => apis)]).toEqual([true, [2, 2]])
})

it('counts stay exact while a worker is killed, and it is replaced', { timeout: 90_000 }, async () => {
  const gateway = await start()
  const key = await createKey(gateway, { quota_max: 200, quota_renewal_rate: 3600 })
  const counting = countStatuses(gateway, key, 600)
  await expect.poll(() => upstream.seen.length > 50, soon).toBe(true)
  const [victim = 0] = pidsIn(gateway.out())
  process.kill(victim, 'SIGKILL')
  const { 200: admitted = 0, 0: broken = 0 } = await counting
  expect(admitted).toBeLessThanOrEqual(200)
  // A request of the killed worker was counted, and its client got no response.
  expect(admitted + broken).toBeGreaterThanOrEqual(200)
  await expect.poll(() => gateway.err(), soon).toMatch(/worker \d ended \(SIGKILL\); another starts in 100 ms/)
})

it('quotas and rates survive the end of all processes', { timeout: 120_000 }, async () => {
  const gateway = await start()
  const byQuota = await createKey(gateway, { quota_max: 30, quota_renewal_rate: 3600 })
  const byRate = await createKey(gateway, { rate: 30, per: 3600 })
  for (const key of [byQuota, byRate]) expect(await countStatuses(gateway, key, 20)).toEqual({ 200: 20 })
  const pids = pidsIn(gateway.out())
  for (const pid of [gateway.child.pid ?? 0, ...pids]) process.kill(pid, 'SIGKILL')
  await expect.poll(() => pids.filter(isAlive), soon).toEqual([])
  const again = await restart()
  expect(await countStatuses(again, byQuota, 20)).toEqual({ 200: 10, 403: 10 })
  expect(await countStatuses(again, byRate, 20)).toEqual({ 200: 10, 429: 10 })
  // After a restart of the machine the quotas come from the logs. One process takes them over as well.
  expect(await again.stop()).toBe(0)
  rmSync(folder.file('data', 'counters', 'boot'))
  const rebuilt = await startForTest(folder, ['--workers', '2'])
  expect(await statusOf(rebuilt, byQuota)).toBe(403)
  await expect.poll(() => rebuilt.err(), soon).toMatch(/counters are restored from the quota logs/)
  expect(await rebuilt.stop()).toBe(0)
  const alone = await startForTest(folder, ['--workers', '1'])
  expect(await statusOf(alone, byQuota)).toBe(403)
  expect(readdirSync(folder.file('data'))).not.toContain('counters')
})

it('are restarted one after the other without a lost request', { timeout: 120_000 }, async () => {
  const gateway = await start()
  const key = await createKey(gateway, {})
  const before = pidsIn(gateway.out())
  gateway.child.kill('SIGUSR2')
  let isDone = false
  const counting = (async () => {
    const counts: Record<number, number> = {}
    while (!isDone) {
      const status = await statusOf(gateway, key)
      counts[status] = (counts[status] ?? 0) + 1
    }
    return counts
  })()
  await expect.poll(() => /were restarted/.test(gateway.out() + gateway.err()), soon).toBe(true)
  isDone = true
  expect(Object.keys(await counting)).toEqual(['200'])
  const after = pidsIn(gateway.out() + gateway.err())
  expect(after.filter((pid) => before.includes(pid))).toEqual([])
})

it('metrics, health, probes and the restart concern all workers, and a suspended one is replaced', {
  timeout: 120_000,
}, async () => {
  const gateway = await start('http1', {
    metrics: { enabled: true },
    health_check: { enable_health_checks: true, health_check_value_timeouts: 60 },
  })
  const key = await createKey(gateway, {})
  expect(await countStatuses(gateway, key, 60, 8)).toEqual({ 200: 60 })
  for (let scrape = 0; scrape < 3; scrape++) {
    const { body } = await gateway.manage('GET', '/metrics')
    expect(String(body)).toContain('turnpike_requests_total{api="keyed",status="2xx",refused_by=""} 60')
    expect(String(body)).toContain('turnpike_definitions{state="loaded"} 1')
    const health = (await gateway.manage('GET', '/svc/health?api_id=keyed')).body
    // 60 requests in 60 s; each worker rounds its part down.
    const { average_requests_per_second: rate } = health as { average_requests_per_second: number }
    expect(rate).toBeGreaterThan(0.9)
  }
  expect((await gateway.manage('POST', '/svc/workers/restart')).status).toBe(200)
  await expect.poll(() => gateway.out() + gateway.err(), soon).toContain('2 workers were restarted')
  const [victim = 0] = pidsIn(gateway.out() + gateway.err())
  process.kill(victim, 'SIGSTOP')
  await expect.poll(() => gateway.err(), soon).toMatch(/does not respond for 5 s and is killed/)
  await expect.poll(() => isAlive(victim), soon).toBe(false)
  const hello = async () => (await gateway.manage('GET', '/hello')).body
  await expect.poll(hello, soon).toMatchObject({ status: 'pass' })
})

it('a second gateway on the folder names the first one and the fix', { timeout: 90_000 }, async () => {
  const gateway = await start()
  const args = ['start', '--conf', 'gateway.json', '--port', '0']
  const { code, err } = await finished(folder.path, args)
  expect([code, err]).toEqual([1, expect.stringContaining(`in use by process ${gateway.child.pid}`)])
  expect(err).toMatch(/to run a second gateway: .*--data-path/)
})
