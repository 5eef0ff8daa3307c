/** The command as users run it: a child process of the built package. Needs `npm run build` before. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { frontEnds } from '../../test/support/front-ends.ts'

const bin = fileURLToPath(new URL('../../bin/turnpike.js', import.meta.url))
const built = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

let upstream: Server
let folder: string
const children: ChildProcess[] = []
beforeAll(async () => {
  if (!existsSync(built)) throw new Error('the package is not built: run npm run build first')
  upstream = createServer((request, response) => {
    const delay = Number(new URL(request.url ?? '/', 'http://x').searchParams.get('delay') ?? 0)
    setTimeout(() => response.end('late but whole'), delay)
  })
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
})
afterAll(() => void upstream.close())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-process-'))
  const target = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/`
  mkdirSync(join(folder, 'apps'))
  writeFileSync(
    join(folder, 'apps', 'slow.json'),
    JSON.stringify({
      api_id: 'slow',
      name: 'slow',
      use_keyless: true,
      active: true,
      version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
      proxy: { listen_path: '/slow/', target_url: target, strip_listen_path: true },
    }),
  )
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

function run(args: readonly string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...environment },
  })
  children.push(child)
  let text = ''
  child.stdout.on('data', (chunk) => (text += chunk))
  child.stderr.on('data', (chunk) => (text += chunk))
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  return { child, ended, text: () => text }
}

/** Starts on a port that the system chooses; resolves with its address. */
async function start(config: object, environment?: Record<string, string>) {
  const conf = { listen_address: '127.0.0.1', listen_port: 0, pid_file_location: 'gateway.pid', ...config }
  writeFileSync(join(folder, 'gateway.json'), JSON.stringify(conf))
  const gateway = run(['start', '--conf', 'gateway.json', '--json'], environment)
  const deadline = Date.now() + 20_000
  while (Date.now() < deadline) {
    const line = gateway
      .text()
      .split('\n')
      .find((one) => one.includes('"event":"started"'))
    if (line !== undefined) return { ...gateway, url: (JSON.parse(line) as { url: string }).url }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`the gateway did not start: ${gateway.text()}`)
}

describe.each(frontEnds)('a gateway process with the %s front end', (frontEnd) => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'lets open requests finish at %s, takes no new ones and ends with 0',
    async (signal) => {
      const { child, ended, url } = await start({ front_end: frontEnd })
      expect(readFileSync(join(folder, 'gateway.pid'), 'utf8')).toBe(`${child.pid}\n`)
      const open = fetch(`${url}/slow/?delay=700`)
      await new Promise((resolve) => setTimeout(resolve, 200))
      child.kill(signal)
      await new Promise((resolve) => setTimeout(resolve, 150))
      await expect(fetch(`${url}/hello`)).rejects.toThrow()
      expect(await (await open).text()).toBe('late but whole')
      expect(await ended).toBe(0)
      expect(existsSync(join(folder, 'gateway.pid'))).toBe(false)
    },
  )

  it('cuts requests that take longer than the grace', async () => {
    const { child, ended, url } = await start({ front_end: frontEnd, graceful_shutdown_timeout_duration: 1 })
    const open = fetch(`${url}/slow/?delay=15000`).then(
      () => 'answered',
      () => 'cut',
    )
    await new Promise((resolve) => setTimeout(resolve, 200))
    const stoppedAt = Date.now()
    child.kill('SIGTERM')
    expect(await open).toBe('cut')
    expect(await ended).toBe(0)
    expect(Date.now() - stoppedAt).toBeLessThan(5000)
  })
})

describe('the turnpike command', () => {
  it('reads the environment over the file', async () => {
    const { url } = await start({ secret: 'from-file' }, { SVC_GW_SECRET: 'from-environment' })
    const ask = (key: string) => fetch(`${url}/svc/apis`, { headers: { 'X-Svc-Authorization': key } })
    expect((await ask('from-file')).status).toBe(403)
    expect((await ask('from-environment')).status).toBe(200)
  })

  it('keeps the embedded store beside the configuration file, for one process at a time', async () => {
    await start({})
    expect(existsSync(join(folder, '.turnpike'))).toBe(true)
    const second = run(['start', '--conf', 'gateway.json'])
    expect(await second.ended).toBe(1)
    expect(second.text()).toMatch(/error: .*\.turnpike/)
  })

  it.each([
    [['version'], 0, /^turnpike \d+\.\d+\.\d+\n$/],
    [['check', 'apps'], 0, /1 definition and 0 policies checked: 0 errors/],
    [['check', 'nowhere'], 1, /does not exist/],
    [['frobnicate'], 2, /error/],
    [['--help'], 0, /start [\s\S]*check/],
  ])('%j ends with %i', async (args, code, text) => {
    const command = run(args)
    expect(await command.ended).toBe(code)
    expect(command.text()).toMatch(text)
  })
})
