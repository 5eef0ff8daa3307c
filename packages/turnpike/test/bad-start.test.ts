/** Starts that cannot work: one clear line each, exit code 1, nothing left behind; and those that warn and work. */
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { type Folder, gatewayConfig, makeFolder, managementKey, openApi } from './support/folder.ts'
import { frontEnds } from './support/front-ends.ts'
import { finished, freePort, runCommand, startForTest } from './support/process.ts'

function folderWith(config: object = {}): Folder {
  const folder = makeFolder(config)
  onTestFinished(() => folder.remove())
  return folder
}

it.each<[string, (folder: Folder) => unknown, RegExp]>([
  [
    'no JSON',
    ({ write }) => write('gateway.json', '{ "listen_port": 8080,\n  oops }'),
    /gateway\.json:2:3 .*is not JSON/,
  ],
  ['an empty file', ({ write }) => write('gateway.json', ''), /gateway\.json:1:1 .*is not JSON/],
  ['a list', ({ write }) => write('gateway.json', []), /gateway\.json:1:1 .*must be one JSON object/],
  [
    'a folder',
    ({ file }) => {
      rmSync(file('gateway.json'))
      mkdirSync(file('gateway.json'))
    },
    /gateway\.json .*cannot be read/,
  ],
  [
    'a wrong type',
    ({ write }) => write('gateway.json', gatewayConfig({ listen_port: '8080' })),
    /gateway\.json:\d+:\d+ .*listen_port: must be a whole number/,
  ],
  [
    'a wrong type deep inside',
    ({ write }) => write('gateway.json', gatewayConfig({ storage: { type: 7 } })),
    /gateway\.json:\d+:\d+ .*storage\.type: must be/,
  ],
  [
    'an invalid TCP port',
    ({ write }) => write('gateway.json', gatewayConfig({ listen_port: 80_800 })),
    /listen_port: 80800 is not a port/,
  ],
  [
    'a secret that leads nowhere',
    ({ write }) => write('gateway.json', gatewayConfig({ secret: 'env://NOT_SET' })),
    /secret: env:\/\/NOT_SET reads the environment variable SVC_SECRET_NOT_SET, which is not set/,
  ],
  [
    'a missing folder of definitions',
    ({ file }) => rmSync(file('apps'), { recursive: true }),
    /the folder of definitions .*apps\/? does not exist; make it/,
  ],
  [
    'a file in place of that folder',
    ({ file }) => {
      rmSync(file('apps'), { recursive: true })
      writeFileSync(file('apps'), '')
    },
    /apps\/? is not a folder/,
  ],
  [
    'a folder that is a link to itself',
    ({ file }) => {
      rmSync(file('apps'), { recursive: true })
      symlinkSync('apps', file('apps'))
    },
    /the folder of definitions .*apps\/? cannot be read/,
  ],
  [
    'a data folder that cannot be made',
    ({ write }) => write('gateway.json', gatewayConfig({ data_path: 'gateway.json/data' })),
    /gateway\.json\/data/,
  ],
])('a start with %s is rejected in one line that says where', async (_name, change, line) => {
  const folder = folderWith()
  change(folder)
  const before = readdirSync(folder.path)
  const { code, out, err } = await finished(folder.path, ['start', '--conf', 'gateway.json'])
  const lines = err.trimEnd().split('\n')
  expect([code, out, lines.length], err).toEqual([1, '', 1])
  expect(err).toMatch(line)
  expect(err).not.toMatch(/\bat .*\.js:\d+/)
  expect(readdirSync(folder.path)).toEqual(before)
})

// Root may read everything; in CI, which is root's, the test of the definition files holds this in process.
it.runIf(process.getuid?.() !== 0)('an unreadable folder of definitions is reported', async () => {
  const folder = folderWith()
  rmSync(folder.file('apps'), { recursive: true })
  mkdirSync(folder.file('apps'), { mode: 0 })
  const { code, err } = await finished(folder.path, ['start', '--conf', 'gateway.json'])
  expect([code, err]).toEqual([1, expect.stringContaining('may not be read by this user')])
})

it.each(frontEnds)('a port in use is reported with a suggestion (%s)', async (frontEnd) => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void taken.close())
  const { port } = taken.address() as { port: number }
  const folder = folderWith({ front_end: frontEnd, listen_port: port })
  const { code, err } = await finished(folder.path, ['start', '--conf', 'gateway.json'])
  expect([code, err]).toEqual([
    1,
    `error: port ${port} on 127.0.0.1 is already in use; choose another with listen_port or --port\n`,
  ])
  const second = await startForTest(folder, ['--port', '0'])
  expect((await fetch(`${second.url}/hello`)).status).toBe(200)
})

it('a port of the dashboard in use is reported with its key, and --port 0 gives it a free one', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void taken.close())
  const { port } = taken.address() as { port: number }
  const dashboard = { enabled: true, listen_port: port, home_path: '/dashboard' }
  const folder = folderWith({ dashboard })
  const { code, err } = await finished(folder.path, [
    'start',
    '--conf',
    'gateway.json',
    '--port',
    `${await freePort()}`,
  ])
  expect([code, err]).toEqual([
    1,
    expect.stringContaining(
      `error: port ${port} on 127.0.0.1 is already in use; choose another with dashboard.listen_port\n`,
    ),
  ])
  const second = runCommand(folder.path, ['start', '--conf', 'gateway.json', '--port', '0', '--json'])
  onTestFinished(() => void second.child.kill('SIGKILL'))
  await expect.poll(second.out, { timeout: 20_000 }).toMatch(/"dashboardUrl".*\n/)
  const line = second
    .out()
    .split('\n')
    .find((text) => text.includes('"dashboardUrl"'))
  const { url, dashboardUrl } = JSON.parse(line ?? '') as { url: string; dashboardUrl: string }
  expect([url, `http://127.0.0.1:${port}`]).not.toContain(new URL(dashboardUrl).origin)
  // The page requires a session.
  expect((await fetch(dashboardUrl)).status).toBe(401)
})

it.each(frontEnds)('a misspelt key is ignored with a warning that names the right one (%s)', async (frontEnd) => {
  const folder = folderWith({ front_end: frontEnd, idle_timout: 1, http_server_options: { max_requst_body_size: 1 } })
  const gateway = await startForTest(folder)
  await expect.poll(gateway.err).toMatch(/gateway\.json:\d+:\d+ +warning +idle_timout: .*did you mean "idle_timeout"\?/)
  await expect
    .poll(gateway.err)
    .toMatch(/warning +http_server_options\.max_requst_body_size: .*did you mean "max_request_body_size"\?/)
  expect((await fetch(`${gateway.url}/hello`)).status).toBe(200)
})

it.each(frontEnds)('an empty secret rejects every management call, and the start says so (%s)', async (frontEnd) => {
  const folder = folderWith({ front_end: frontEnd, secret: '' })
  folder.write('apps/open.json', openApi('open', 'http://127.0.0.1:1/'))
  const gateway = await startForTest(folder)
  await expect.poll(gateway.err).toMatch(/warning +secret: is empty, so that every management call is rejected/)
  for (const headers of [
    {},
    { 'X-Svc-Authorization': '' },
    { 'X-Svc-Authorization': managementKey },
    { Authorization: '' },
  ]) {
    for (const path of ['/svc/keys', '/svc/apis', '/svc/reload']) {
      expect((await fetch(gateway.url + path, { headers: headers as Record<string, string> })).status).toBe(403)
    }
  }
  expect((await fetch(`${gateway.url}/hello`)).status).toBe(200)
})

it('a second gateway on the same data folder is rejected, and the first one continues', async () => {
  const folder = folderWith()
  const first = await startForTest(folder)
  const { code, err } = await finished(folder.path, ['start', '--conf', 'gateway.json', '--port', '0'])
  expect(code).toBe(1)
  expect(err).toMatch(
    /^error: the data folder is in use by process \d+: stop it, or .*\.turnpike.*; to run a second gateway: .* start --port 0 --data-path .turnpike-2\n$/,
  )
  const second = await startForTest(folder, ['--port', '0', '--data-path', '.turnpike-2'])
  expect((await fetch(`${second.url}/hello`)).status).toBe(200)
  expect(readdirSync(folder.path)).toContain('.turnpike-2')
  expect((await fetch(`${first.url}/hello`)).status).toBe(200)
})

it('explain ends if the gateway of the folder runs on another port, and suggests --url', async () => {
  const folder = folderWith({ listen_port: await freePort(), echo: { enabled: true, listen_port: 0 } })
  await startForTest(folder, ['--port', '0'])
  const { code, err } = await finished(folder.path, ['explain', 'GET', '/a/x', '--conf', 'gateway.json'])
  expect(code).toBeGreaterThan(0)
  expect(err).toMatch(/data folder is in use by process \d+: .*; if it is a gateway, name its address: --url/)
})

it('a gateway whose output nobody reads keeps serving, and stops on a signal', { timeout: 60_000 }, async () => {
  const port = await freePort()
  const folder = folderWith({ listen_port: port, log_level: 'debug', access_logs: { enabled: true } })
  folder.write('apps/down.json', openApi('down', 'http://127.0.0.1:1/'))
  const { child, ended } = runCommand(folder.path, ['start', '--conf', 'gateway.json'], { unread: true })
  onTestFinished(() => void child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  await expect
    .poll(
      () =>
        fetch(`${url}/ready`).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 10_000 },
    )
    .toBe(200)
  const ask = () => fetch(`${url}/down/${'x'.repeat(2_000)}`).then(({ status }) => status)
  for (let i = 0; i < 40; i++)
    expect(new Set(await Promise.all(Array.from({ length: 50 }, ask)))).toEqual(new Set([500]))
  expect((await fetch(`${url}/hello`)).status).toBe(200)
  child.kill('SIGTERM')
  const late = new Promise((resolve) => setTimeout(resolve, 10_000, 'did not stop'))
  expect(await Promise.race([ended, late])).toBe(0)
})
