/**
 * deploy/systemd/turnpike.service: systemd-analyze accepts it, and its commands start, reload and stop a gateway. They run
 * without systemd, so its sandbox is not tested here; systemd-analyze rates it.
 */
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { gatewayConfig, makeFolder, openApi } from '../support/folder.ts'
import { freePort } from '../support/process.ts'
import { startRecordingUpstream } from '../support/upstream.ts'

const file = fileURLToPath(new URL('../../../../deploy/systemd/turnpike.service', import.meta.url))
const bin = fileURLToPath(new URL('../../bin/turnpike.js', import.meta.url))
const unit = readFileSync(file, 'utf8')
const run = promisify(execFile)

const without =
  spawnSync('systemd-analyze', ['--version']).status === 0 || process.env['CI']
    ? undefined
    : 'systemd-analyze is not installed (apt-get install systemd)'

/** The value of a setting, the last one if it occurs several times. */
function setting(name: string): string {
  const values = [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))]
  return values.at(-1)?.[1] ?? ''
}

describe(without === undefined ? 'systemd-analyze' : `systemd-analyze, not run: ${without}`, () => {
  /** The unit in a folder of its own, with the Node of this machine. */
  function copyOfUnit(): string {
    const folder = makeFolder()
    onTestFinished(() => folder.remove())
    const copy = folder.file('turnpike.service')
    writeFileSync(copy, unit.replace('ExecStart=/usr/bin/node ', `ExecStart=${process.execPath} `))
    return copy
  }

  it.skipIf(without !== undefined)('accepts the unit without a warning', async () => {
    const { stdout, stderr } = await run('systemd-analyze', ['verify', copyOfUnit()])
    expect(stdout + stderr).toBe('')
  })

  it.skipIf(without !== undefined)('rates its exposure as low', async () => {
    const rating = ['security', '--offline=true', '--threshold=20', copyOfUnit()]
    const { stdout } = await run('systemd-analyze', rating)
    expect(stdout).toContain('Overall exposure level for turnpike.service: 1.')
  })
})

it('gives the gateway longer to stop than it gives its requests', () => {
  expect(Number(setting('TimeoutStopSec'))).toBeGreaterThan(30)
})

it('starts, reloads on SIGHUP, and drains on SIGTERM', async () => {
  const folder = makeFolder()
  const upstream = await startRecordingUpstream()
  onTestFinished(async () => {
    folder.remove()
    await upstream.close()
  })
  const port = await freePort()
  folder.write('gateway.json', { ...gatewayConfig({ listen_port: port }), secret: 'env://MANAGEMENT_KEY' })
  const onThisMachine = (text: string) =>
    text
      .replace('/usr/bin/node', process.execPath)
      .replace('/opt/turnpike/node_modules/turnpike/bin/turnpike.js', bin)
      .replaceAll('/etc/turnpike', folder.path)
      .replaceAll('/var/lib/turnpike', folder.file('data'))
  const environment = Object.fromEntries(
    setting('Environment')
      .split(' ')
      .map((pair) => onThisMachine(pair).split('=') as [string, string]),
  )
  const [command, ...args] = onThisMachine(setting('ExecStart')).split(' ')
  const service = spawn(command!, args, {
    cwd: onThisMachine(setting('WorkingDirectory')),
    env: { PATH: process.env['PATH'], SVC_SECRET_MANAGEMENT_KEY: 'a-long-random-text', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void service.kill('SIGKILL'))
  const [first] = (await once(createInterface(service.stdout), 'line')) as [string]
  expect(first).toContain(`keys in ${folder.file('data')}`)

  folder.write('apps/open.json', openApi('open', upstream.url))
  expect(setting('ExecReload')).toBe('/bin/kill -HUP $MAINPID')
  await run('/bin/kill', ['-HUP', String(service.pid)])
  const url = `http://127.0.0.1:${port}/open/a`
  await expect.poll(async () => (await fetch(url)).status).toBe(200)

  const slow = fetch(`${url}?delay=1000`)
  await expect.poll(() => upstream.seen.some((request) => request.url.includes('delay'))).toBe(true)
  service.kill('SIGTERM')
  expect((await slow).status).toBe(200)
  expect(await once(service, 'exit')).toEqual([0, null])
})
