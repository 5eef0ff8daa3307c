/** What `npm install turnpike` brings: the packed packages, installed into an empty project. Needs `npm run build`. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { version } from '../src/version.ts'
import { type Folder, gatewayConfig, makeFolder, managementKey, openApi } from './support/folder.ts'
import { type RecordingUpstream, startRecordingUpstream } from './support/upstream.ts'

const install = fileURLToPath(new URL('../../../scripts/install-packed.mjs', import.meta.url))
const environment = { PATH: process.env['PATH'], HOME: process.env['HOME'] }
const run = promisify(execFile)

let project: Folder
let bytes: number
let upstream: RecordingUpstream
beforeAll(async () => {
  project = makeFolder()
  upstream = await startRecordingUpstream()
  const { stdout } = await run(process.execPath, [install, project.file('installed')], { env: environment })
  bytes = Number(/ (\d+) bytes/.exec(stdout)?.[1])
}, 240_000)
afterAll(async () => {
  await upstream.close()
  project.remove()
})

const modules = () => project.file('installed', 'node_modules')
const bin = () => project.file('installed', 'node_modules', '.bin', 'turnpike')

it('brings no test library and no simulator', () => {
  for (const name of [
    'uWebSockets.js',
    'fast-check',
    'vitest',
    '@turnpike/testkit',
    '@turnpike/cluster-sim',
    '@turnpike/dev',
    '@turnpike/judge',
  ]) {
    expect([name, existsSync(`${modules()}/${name}`)]).toEqual([name, false])
  }
  expect(readdirSync(`${modules()}/turnpike/dist/bundle`)).toContain('main.js')
})

it('takes less than 60 MB', () => {
  expect(bytes).toBeGreaterThan(20_000_000)
  expect(bytes).toBeLessThan(60_000_000)
})

it('serves', async () => {
  project.write('gateway.json', gatewayConfig({ listen_port: 0 }))
  project.write('apps/open.json', openApi('open', upstream.url))
  const gateway = spawn(bin(), ['start', '--conf', 'gateway.json', '--json'], {
    cwd: project.path,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void gateway.kill('SIGKILL'))
  const [line] = (await once(createInterface(gateway.stdout), 'line')) as [string]
  const { url } = JSON.parse(line) as { url: string }
  expect((await fetch(`${url}/hello`)).status).toBe(200)
  expect((await fetch(`${url}/open/a`)).status).toBe(200)
  gateway.kill('SIGTERM')
  expect(await once(gateway, 'exit')).toEqual([0, null])
})

it('init writes files that name the schemas of the installation', async () => {
  const folder = project.file('installed', 'gateway')
  project.write('installed/pets.yaml', 'openapi: 3.0.3\ninfo: { title: Pets, version: "1" }\npaths: {}\n')
  const init = await run(bin(), ['init', 'gateway', '--openapi', 'pets.yaml'], {
    cwd: project.file('installed'),
    env: environment,
  })
  expect(init.stdout).toContain('npx turnpike start')
  const definition = JSON.parse(readFileSync(`${folder}/apps/pets.json`, 'utf8'))
  expect(definition.$schema).toBe('../../node_modules/turnpike/schemas/classic-api.json')
  expect(existsSync(`${folder}/apps/${definition.$schema}`)).toBe(true)
  const check = await run(bin(), ['check'], { cwd: folder, env: environment })
  expect(check.stdout).toContain('1 definition and 1 policy checked: 0 errors, 0 warnings')
})

it('reads and sends characters outside ASCII', async () => {
  project.write('gateway.json', gatewayConfig({ listen_port: 0, docs: { enabled: true } }))
  const gateway = spawn(bin(), ['start', '--conf', 'gateway.json', '--json'], {
    cwd: project.path,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void gateway.kill('SIGKILL'))
  const [line] = (await once(createInterface(gateway.stdout), 'line')) as [string]
  const { url } = JSON.parse(line) as { url: string }
  const admin = { 'x-svc-authorization': managementKey, 'content-type': 'application/json' }
  const document = {
    openapi: '3.0.3',
    info: { title: 'micro', version: '1' },
    paths: {},
    'x-svc-api-gateway': {
      info: { name: 'micro', id: 'micro', orgId: 'acme', state: { active: true } },
      upstream: { url: upstream.url, rateLimit: { enabled: true, rate: 1, per: '10000000µs' } },
      server: { listenPath: { value: '/micro/', strip: true } },
    },
  }
  const made = await fetch(`${url}/svc/apis/oas`, { method: 'POST', headers: admin, body: JSON.stringify(document) })
  expect(made.status).toBe(200)
  await fetch(`${url}/svc/reload/?block=true`, { headers: admin })
  const statuses = [(await fetch(`${url}/micro/a`)).status, (await fetch(`${url}/micro/a`)).status]
  expect(statuses).toEqual([200, 429])
  // Latin-1 readings of UTF-8 begin with one of these letters.
  expect(await (await fetch(`${url}/svc/docs`)).text()).not.toMatch(/[ÂÃâ]/)
})

it('serves with the front end http1, without a word about uWebSockets.js', async () => {
  project.write('gateway.json', gatewayConfig({ listen_port: 0, log_format: 'json' }))
  const gateway = spawn(bin(), ['start', '--conf', 'gateway.json', '--json'], { cwd: project.path, env: environment })
  onTestFinished(() => void gateway.kill('SIGKILL'))
  let log = ''
  gateway.stderr.on('data', (text: Buffer) => {
    log += text.toString()
  })
  const [line] = (await once(createInterface(gateway.stdout), 'line')) as [string]
  expect(JSON.parse(line)).toMatchObject({ event: 'started', frontEnd: 'http1' })
  gateway.kill('SIGTERM')
  await once(gateway, 'exit')
  const lines = log.split('\n').filter((one) => one.includes('uWebSockets.js'))
  expect(lines).toEqual([])
})

it('runs by npx, and names uWebSockets.js if the configuration requires it', async () => {
  const { stdout } = await run('npx', ['--no-install', 'turnpike', '--version'], {
    cwd: project.file('installed'),
    env: environment,
  })
  expect(stdout.trim()).toBe(version)
  project.write('gateway.json', gatewayConfig({ listen_port: 0, front_end: 'uws' }))
  const failed = run(bin(), ['start', '--conf', 'gateway.json'], { cwd: project.path, env: environment })
  await expect(failed).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('npm install uWebSockets.js@'),
  })
})

it('leads from an empty folder to a rejected request and its explanation', async () => {
  const cwd = project.file('installed')
  const inDemo = { cwd: project.file('installed', 'demo'), env: environment }
  await run(bin(), ['init', 'demo'], { cwd, env: environment })
  await run(bin(), ['check'], inDemo)
  const { keys } = JSON.parse(readFileSync(project.file('installed', 'demo', 'seed.json'), 'utf8')) as {
    keys: Record<string, object>
  }
  const [key] = Object.keys(keys) as [string]
  const gateway = spawn(bin(), ['start', '--port', '0', '--json'], { ...inDemo, stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void gateway.kill('SIGKILL'))
  const [line] = (await once(createInterface(gateway.stdout), 'line')) as [string]
  const { url } = JSON.parse(line) as { url: string }
  const statuses: number[] = []
  for (let i = 0; i < 6; i++) {
    statuses.push((await fetch(`${url}/hello/world`, { headers: { Authorization: key } })).status)
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  const explained = run(bin(), ['explain', 'GET', '/hello/world', '-H', `Authorization: ${key}`, '--url', url], inDemo)
  const { stdout } = await explained.catch((rejected: { stdout: string }) => rejected)
  expect(stdout).toMatch(/key-limits .*rejects: 429/)
})

it.each([
  ['verify', '@turnpike/dev'],
  ['bench', '@turnpike/dev'],
  ['sim', '@turnpike/dev'],
  ['judge', '@turnpike/judge'],
])('%s names the package to install', async (command, name) => {
  const failed = run(bin(), [command, 'apps'], { cwd: project.path, env: environment })
  await expect(failed).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`npm install -D ${name}`),
  })
})

it('can be imported and required as a library', async () => {
  const use = "createGateway().then((gateway) => gateway.close()).then(() => console.log('closed'))"
  const programs = {
    module: `import { createGateway } from 'turnpike'; ${use}`,
    commonjs: `const { createGateway } = require('turnpike'); ${use}`,
  }
  for (const [type, program] of Object.entries(programs)) {
    const { stdout, stderr } = await run(process.execPath, [`--input-type=${type}`, '-e', program], {
      cwd: project.file('installed'),
      env: environment,
    })
    expect([type, stdout, stderr]).toEqual([type, 'closed\n', ''])
  }
})
