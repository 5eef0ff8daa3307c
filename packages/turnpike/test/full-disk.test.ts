/**
 * A full disk: a small tmpfs. Writes get 503, reads and keyless APIs stay in service, probes and
 * one log line name the cause, and the gateway recovers without a restart.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Folder, keyedApi, makeFolder, managementKey, openApi, sessionFor } from './support/folder.ts'
import { freePort, type RunningGateway, startForTest } from './support/process.ts'
import { startRecordingUpstream } from './support/upstream.ts'

const mount = (...args: string[]) => spawnSync('mount', args).status === 0

/** A gateway whose data, definitions, policies and records are on a disk of 2 MiB. */
/** `through`: words before the command. */
async function startOnSmallDisk(
  more: object = {},
  through: readonly string[] = [],
): Promise<{ gateway: RunningGateway; folder: Folder }> {
  const upstream = await startRecordingUpstream()
  const folder = makeFolder({
    data_path: 'disk/data',
    app_path: 'disk/apps',
    policies: { policy_source: 'file', policy_path: 'disk/policies' },
    enable_analytics: true,
    records: { file: { path: 'disk/records.jsonl' } },
    metrics: { enabled: true },
    ...more,
  })
  mkdirSync(folder.file('disk'))
  mount('-t', 'tmpfs', '-o', 'size=2m', 'turnpike-test', folder.file('disk'))
  onTestFinished(async () => {
    spawnSync('umount', ['-l', folder.file('disk')])
    await upstream.close()
    folder.remove()
  })
  mkdirSync(folder.file('disk/policies'))
  folder.write('disk/apps/open.json', openApi('open', upstream.url))
  folder.write('disk/apps/keyed.json', keyedApi('keyed', upstream.url))
  return { gateway: await startForTest(folder, [], { through }), folder }
}

async function statuses({ manage, url }: RunningGateway, key: string) {
  const get = async (path: string) => (await fetch(url + path, { headers: { authorization: key } })).status
  return {
    key: (await manage('POST', '/svc/keys/create', sessionFor('keyed'))).status,
    api: (await manage('POST', '/svc/apis', openApi('more', 'http://127.0.0.1:1/'))).status,
    policy: (await manage('POST', '/svc/policies', { id: 'gold', org_id: 'acme', access_rights: {} })).status,
    open: await get('/open/x'),
    keyed: await get('/keyed/x'),
    ready: await get('/ready'),
  }
}

const soon = { timeout: 30_000 }
const healthy = { key: 200, api: 200, policy: 200, open: 200, keyed: 200, ready: 200 }
const away = { key: 503, api: 503, policy: 503, open: 200, keyed: 200, ready: 503 }

function fill({ file }: Folder): void {
  // The last page is filled byte by byte of the size, because a large write fails as a whole.
  for (const [i, bytes] of [1 << 20, 1 << 18, 1 << 16, 1 << 14, 4096, 4096, 4096, 4096].entries()) {
    for (let n = 0; ; n++) {
      try {
        writeFileSync(file(`disk/filler-${i}-${n}`), Buffer.alloc(bytes))
      } catch {
        break
      }
    }
  }
}

function empty({ file }: Folder): void {
  spawnSync('sh', ['-c', 'rm -f filler-*'], { cwd: file('disk') })
}

const probe = makeFolder()
const canMount = mount('-t', 'tmpfs', '-o', 'size=64k', 'turnpike-probe', probe.path)
if (canMount) spawnSync('umount', [probe.path])
rmSync(probe.path, { recursive: true, force: true })
const title = canMount ? 'a data folder' : 'a data folder (not run: root may mount a tmpfs)'

describe.skipIf(!canMount)(title, { timeout: 90_000 }, () => {
  it('that is full: writes get 503, everything else is served', async () => {
    const { gateway, folder } = await startOnSmallDisk()
    const created = (await gateway.manage('POST', '/svc/keys/create', sessionFor('keyed'))).body as { key: string }
    expect(await statuses(gateway, created.key)).toEqual(healthy)

    fill(folder)
    await expect.poll(() => statuses(gateway, created.key), { timeout: 20_000 }).toEqual(away)
    const text = async (path: string) => await (await fetch(gateway.url + path)).text()
    expect(await text('/ready')).toContain('Storage not available: cannot write to disk: ')
    expect(JSON.parse(await text('/hello'))).toMatchObject({ status: 'fail', details: { redis: { status: 'fail' } } })
    expect(await text('/metrics')).toMatch(/turnpike_store_up 0\n/)
    const loss = () => gateway.err().split('the data folder is not writable').length - 1
    expect(loss()).toBe(1)

    empty(folder)
    await expect.poll(() => statuses(gateway, created.key), { timeout: 20_000 }).toEqual(healthy)
    expect(loss()).toBe(1)
    expect(gateway.err()).toContain('the data folder is writable again')
    expect(await text('/metrics')).toMatch(/turnpike_store_failures_total{kind="outages"} 1\n/)
    expect(await gateway.stop()).toBe(0)
  })

  it('that is full: records and the log file resume', async () => {
    const toFile = ['sh', '-c', 'exec "$@" 2>>disk/log', 'sh']
    const { gateway, folder } = await startOnSmallDisk({ access_logs: { enabled: true } }, toFile)
    const call = async (path: string) => (await fetch(gateway.url + path)).status
    const text = (name: string) => readFileSync(folder.file('disk', name), 'utf8')
    expect(await call('/open/before')).toBe(200)
    await expect.poll(() => text('records.jsonl') + text('log'), soon).toMatch(/before.*before/s)

    fill(folder)
    for (let i = 0; i < 100; i++) expect(await call('/open/during')).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 2500))

    empty(folder)
    expect(await call('/open/after')).toBe(200)
    for (const name of ['records.jsonl', 'log']) await expect.poll(() => text(name), soon).toContain('after')
    expect(await gateway.stop()).toBe(0)
  })

  it('with read-only folders of definitions and policies: their writes get 503, everything else is served', async () => {
    const { gateway, folder } = await startOnSmallDisk()
    const created = (await gateway.manage('POST', '/svc/keys/create', sessionFor('keyed'))).body as { key: string }
    const folders = ['apps', 'policies'].map((name) => folder.file('disk', name))
    for (const one of folders) mount('--bind', one, one)
    const remount = (mode: 'ro' | 'rw') => folders.map((one) => mount('-o', `remount,bind,${mode}`, one))
    onTestFinished(() => {
      for (const one of folders) spawnSync('umount', ['-l', one])
    })
    expect(remount('ro')).toEqual([true, true])
    expect(await statuses(gateway, created.key)).toEqual({ ...healthy, api: 503, policy: 503 })
    const change = openApi('open', 'http://127.0.0.1:1/')
    expect((await gateway.manage('PUT', '/svc/apis/open', change)).status).toBe(503)
    expect((await gateway.manage('DELETE', '/svc/apis/open')).status).toBe(503)
    expect((await gateway.manage('GET', '/svc/apis/open')).status).toBe(200)
    expect((await gateway.manage('GET', '/svc/reload/?block=true')).status).toBe(200)
    expect((await fetch(`${gateway.url}/open/x`)).status).toBe(200)

    remount('rw')
    expect(await statuses(gateway, created.key)).toEqual(healthy)
    expect(await gateway.stop()).toBe(0)
  })

  it('of two workers that is full: no worker ends, and both recover', async () => {
    const { gateway, folder } = await startOnSmallDisk({ workers: 2, listen_port: await freePort() })
    await expect.poll(() => gateway.out(), { timeout: 30_000 }).toContain('2 workers serve')
    const { key } = (await gateway.manage('POST', '/svc/keys/create', sessionFor('keyed'))).body as { key: string }
    /** Each connection goes to the next worker. */
    const ofBoth = async (path: string, init: RequestInit) => {
      const headers = { authorization: key, 'x-svc-authorization': managementKey, connection: 'close' }
      const each = Array.from({ length: 6 }, async () => (await fetch(gateway.url + path, { ...init, headers })).status)
      return [...new Set(await Promise.all(each))].sort()
    }
    const writes = () => ofBoth('/svc/keys/create', { method: 'POST', body: JSON.stringify(sessionFor('keyed')) })

    fill(folder)
    await expect.poll(writes, soon).toEqual([503])
    expect(await ofBoth('/open/x', {})).toEqual([200])
    expect(await ofBoth('/keyed/x', {})).toEqual([503])

    empty(folder)
    await expect.poll(writes, soon).toEqual([200])
    expect(await ofBoth('/keyed/x', {})).toEqual([200])
    expect(gateway.err()).not.toContain('another starts')
    expect(await gateway.stop()).toBe(0)
  })
})
