/**
 * The image of deploy/docker/Dockerfile, built and started without containers: every COPY, RUN, HEALTHCHECK and start
 * command is executed in a folder that represents the root of the image.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { openApi } from '../support/folder.ts'
import { freePort } from '../support/process.ts'
import { type RecordingUpstream, startRecordingUpstream } from '../support/upstream.ts'
import { executeDockerfile, type Image, readDockerfile, readIgnored } from './support/dockerfile.ts'

const context = fileURLToPath(new URL('../../../..', import.meta.url))
const file = join(context, 'deploy/docker/Dockerfile')
const run = promisify(execFile)
const isRoot = process.getuid?.() === 0

let folder: string
let image: Image
let upstream: RecordingUpstream
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'turnpike-image-')))
  // The user of the image reads it.
  chmodSync(folder, 0o755)
  const isIgnored = readIgnored(`${file}.dockerignore`)
  const listed = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: context })
  const files = listed.stdout.split('\n').filter((path) => path !== '' && existsSync(join(context, path)))
  image = await executeDockerfile(file, {
    context,
    files: files.filter((path) => !isIgnored(path)),
    folder,
    root: isRoot,
  })
  upstream = await startRecordingUpstream()
}, 600_000)
afterAll(async () => {
  await upstream?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The environment of a container with this port. */
const environment = (port: number, more: Record<string, string> = {}) => ({
  PATH: `${image.onHost('/usr/local/bin')}:${dirname(process.execPath)}:/usr/bin:/bin`,
  ...image.environment,
  SVC_GW_LISTENADDRESS: '127.0.0.1',
  SVC_GW_LISTENPORT: String(port),
  ...more,
})

/** Starts what a container would start, as its user. */
function startContainer(port: number, more: Record<string, string> = {}) {
  const [command, ...args] = [...image.entrypoint, ...image.command].map(image.onHost)
  const [uid, gid] = image.user.split(':').map(Number)
  const child = spawn(command!, args, {
    cwd: image.onHost(image.workingDirectory),
    env: environment(port, more),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(isRoot && { uid: uid!, gid: gid! }),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const health = (port: number) => {
  const [, ...args] = image.healthCheck.map(image.onHost)
  return run(process.execPath, args, { env: environment(port) }).then(
    () => 0,
    (failed: { code: number }) => failed.code,
  )
}

it('has two stages, and a user and a command in the last one', () => {
  const names = readDockerfile(file).map(({ name }) => name)
  expect(names.filter((name) => name === 'FROM')).toHaveLength(2)
  expect(image.user).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  expect(image.entrypoint).toEqual(['turnpike'])
  expect(readDockerfile(file)).toContainEqual({ name: 'STOPSIGNAL', text: 'SIGTERM' })
  expect(readDockerfile(file)).toContainEqual({ name: 'VOLUME', text: '/var/lib/turnpike' })
})

it('contains the gateway, no tool of the build and no uWebSockets.js', () => {
  const modules = image.onHost('/opt/turnpike/node_modules')
  expect(existsSync(join(modules, 'turnpike'))).toBe(true)
  for (const name of ['typescript', 'vitest', '@turnpike/dev', 'uWebSockets.js'])
    expect(existsSync(join(modules, name))).toBe(false)
  expect(existsSync(image.onHost('/src'))).toBe(false)
})

it('serves as its user, is healthy, keeps its data, and drains on SIGTERM', async () => {
  const port = await freePort()
  writeFileSync(image.onHost('/etc/turnpike/apps/open.json'), JSON.stringify(openApi('open', upstream.url)))
  const container = startContainer(port, { SVC_SECRET_MANAGEMENT_KEY: 'a-long-random-text' })
  const lines = createInterface(container.stdout)
  const [first] = (await once(lines, 'line')) as [string]
  expect(first).toContain(`http://127.0.0.1:${port} (http1), keys in ${image.onHost('/var/lib/turnpike')}`)
  expect(await health(port)).toBe(0)
  expect(readdirSync(image.onHost('/var/lib/turnpike'))).toContain('data.mdb')

  const slow = fetch(`http://127.0.0.1:${port}/open/a?delay=1000`)
  await expect.poll(() => upstream.seen.length).toBe(1)
  container.kill('SIGTERM')
  expect((await slow).status).toBe(200)
  expect(await once(container, 'exit')).toEqual([0, null])
  expect(await health(port)).toBe(1)
})

it('does not start without a management key', async () => {
  const container = startContainer(await freePort())
  let text = ''
  container.stderr.on('data', (chunk) => {
    text += chunk
  })
  expect(await once(container, 'exit')).toEqual([1, null])
  expect(text).toContain('SVC_SECRET_MANAGEMENT_KEY, which is not set')
})
