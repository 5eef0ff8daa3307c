/** Broken files among good ones, at the start and at a reload: reported by name and place, without effect on others. */
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type Folder, makeFolder, openApi } from './support/folder.ts'
import { type RunningGateway, startForTest } from './support/process.ts'
import { type RecordingUpstream, startRecordingUpstream } from './support/upstream.ts'

let upstream: RecordingUpstream
let folder: Folder
beforeEach(async () => {
  upstream = await startRecordingUpstream()
  folder = makeFolder()
})
afterEach(async () => {
  folder.remove()
  await upstream.close()
})

interface Report {
  readonly failed: readonly { readonly source: string; readonly reason: string; readonly kept_old: boolean }[]
}

const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
const breakages: [string, (file: string) => unknown, RegExp][] = [
  ['no JSON', (file) => writeFileSync(file, '{\n  "name": "x"\n  "api_id": "x" }'), /broken\.json:3:3 is not JSON/],
  ['an empty file', (file) => writeFileSync(file, ''), /broken\.json:1:1 is not JSON/],
  ['a list', (file) => writeFileSync(file, '[]'), /broken\.json/],
  [
    'a wrong type',
    (file) => writeFileSync(file, '{ "api_id": "broken", "proxy": { "listen_path": 7 } }'),
    /broken\.json:1:\d+ proxy\.listen_path: must be a text, is the number 7/,
  ],
  [
    'no listen path',
    (file) => writeFileSync(file, '{ "api_id": "broken" }'),
    /broken\.json:1:\d+ proxy\.listen_path: must not be empty/,
  ],
  [
    'a target that is no URL',
    (file) => writeFileSync(file, JSON.stringify(openApi('broken', 'http://a b'))),
    /broken\.json:\d+:\d+ proxy\.target_url: is not a URL/,
  ],
  [
    'bytes that are no text',
    (file) => writeFileSync(file, Buffer.from([0xff, 0xfe, 0x00, 0x7b])),
    /broken\.json is not UTF-8 text/,
  ],
  ['a folder', (file) => mkdirSync(file), /broken\.json is a folder/],
  [
    'a link that leads nowhere',
    (file) => symlinkSync('/nowhere/at/all.json', file),
    /broken\.json does not exist, or is a link that leads nowhere/,
  ],
  ['100,000 levels', (file) => writeFileSync(file, deep), /broken\.json/],
  [
    '100,000 levels inside of a definition',
    (file) =>
      writeFileSync(
        file,
        JSON.stringify(openApi('broken', 'http://127.0.0.1:1/')).replace('{', `{"config_data":${deep},`),
      ),
    /broken\.json/,
  ],
  ['20 MB', (file) => writeFileSync(file, `{"x":"${'x'.repeat(20 * 1024 * 1024)}"}`), /broken\.json is \d+ bytes long/],
]

async function served(gateway: RunningGateway, ...ids: string[]): Promise<number[]> {
  return Promise.all(ids.map(async (id) => (await fetch(`${gateway.url}/${id}/x`)).status))
}

const reload = async (gateway: RunningGateway) => {
  expect((await gateway.manage('GET', '/svc/reload?block=true')).status).toBe(200)
  return (await gateway.manage('GET', '/svc/reload/report')).body as Report
}

it.each(breakages)(
  'at the start: %s is reported by name and place, and the others serve',
  async (_name, breakIt, line) => {
    folder.write('apps/first.json', openApi('first', upstream.url))
    folder.write('apps/second.json', openApi('second', upstream.url))
    breakIt(folder.file('apps', 'broken.json'))
    const gateway = await startForTest(folder)
    expect(await served(gateway, 'first', 'second', 'broken')).toEqual([200, 200, 404])
    await expect.poll(gateway.out).toMatch(line)
    await expect.poll(gateway.err).toMatch(/level=error msg="a definition cannot be loaded".*source=broken\.json/)
    expect((await reload(gateway)).failed).toMatchObject([{ source: 'broken.json', kept_old: false }])
    const hello = await (await fetch(`${gateway.url}/hello`)).text()
    expect(hello).toContain('broken.json')
  },
)

describe('at a reload', () => {
  it('each kind of broken file leaves its last good version serving, and heals when it is fixed', {
    timeout: 60_000,
  }, async () => {
    folder.write('apps/first.json', openApi('first', upstream.url))
    folder.write('apps/broken.json', openApi('broken', upstream.url))
    const gateway = await startForTest(folder)
    for (const [name, breakIt, line] of breakages) {
      const file = folder.file('apps', 'broken.json')
      rmSync(file, { recursive: true, force: true })
      breakIt(file)
      const printed = gateway.out().length
      expect((await reload(gateway)).failed, name).toMatchObject([{ source: 'broken.json', kept_old: true }])
      expect(await served(gateway, 'first', 'broken'), name).toEqual([200, 200])
      await expect.poll(() => gateway.out().slice(printed), { message: name }).toMatch(line)
      await expect.poll(() => gateway.out().slice(printed)).toMatch(/the last good version of [\d:]+ stays in service/)
      rmSync(file, { recursive: true, force: true })
      folder.write('apps/broken.json', openApi('broken', upstream.url))
      expect((await reload(gateway)).failed, name).toEqual([])
    }
    expect(gateway.isAlive()).toBe(true)
  })

  it('a folder that vanishes takes nothing down, and is served again when it is back', async () => {
    folder.write('apps/first.json', openApi('first', upstream.url))
    const gateway = await startForTest(folder)
    renameSync(folder.file('apps'), folder.file('away'))
    await gateway.manage('GET', '/svc/reload?block=true')
    expect(await served(gateway, 'first')).toEqual([200])
    await expect.poll(gateway.err).toMatch(/the definitions cannot be read/)
    writeFileSync(folder.file('apps'), 'no folder')
    await gateway.manage('GET', '/svc/reload?block=true')
    expect(await served(gateway, 'first')).toEqual([200])
    rmSync(folder.file('apps'))
    renameSync(folder.file('away'), folder.file('apps'))
    folder.write('apps/second.json', openApi('second', upstream.url))
    await gateway.manage('GET', '/svc/reload?block=true')
    expect(await served(gateway, 'first', 'second')).toEqual([200, 200])
  })

  it('broken policies leave the last good ones in force', async () => {
    const session = { org_id: 'acme', apply_policies: ['gold'] }
    folder.write(
      'apps/keyed.json',
      openApi('keyed', upstream.url, {
        use_keyless: false,
        use_standard_auth: true,
        auth: { auth_header_name: 'Authorization' },
      }),
    )
    folder.write('policies/gold.json', {
      id: 'gold',
      org_id: 'acme',
      rate: 100,
      per: 1,
      quota_max: -1,
      access_rights: { keyed: { versions: ['Default'] } },
    })
    const gateway = await startForTest(folder)
    await gateway.manage('POST', '/svc/keys/anna', session)
    const ask = async () => (await fetch(`${gateway.url}/keyed/x`, { headers: { Authorization: 'anna' } })).status
    expect(await ask()).toBe(200)
    folder.write('policies/gold.json', '{ "id": "gold", ')
    await gateway.manage('GET', '/svc/reload?block=true')
    expect(await ask()).toBe(200)
    await expect.poll(gateway.out).toMatch(/polic.*gold\.json/)
    rmSync(folder.file('policies'), { recursive: true })
    await gateway.manage('GET', '/svc/reload?block=true')
    expect(await ask()).toBe(200)
  })
})

it('two files with one listen path are both reported, and the others serve', async () => {
  folder.write('apps/a.json', openApi('a', upstream.url))
  folder.write('apps/b.json', openApi('b', upstream.url, { proxy: { listen_path: '/a/', target_url: upstream.url } }))
  folder.write('apps/c.json', openApi('c', upstream.url))
  const gateway = await startForTest(folder)
  expect(await served(gateway, 'c')).toEqual([200])
  await expect.poll(gateway.out).toMatch(/listen path \/a\/ is taken: API a moved to/)
  await expect.poll(gateway.out).toMatch(/listen path \/a\/ is taken: API b moved to/)
})

it('requests that run during a reload that fails are responded to', async () => {
  folder.write('apps/first.json', openApi('first', upstream.url))
  const gateway = await startForTest(folder)
  const open = fetch(`${gateway.url}/first/slow?delay=500`)
  onTestFinished(() => open.then(() => undefined))
  await expect.poll(() => upstream.seen.length).toBe(1)
  folder.write('apps/first.json', '{')
  await reload(gateway)
  expect((await open).status).toBe(200)
})
