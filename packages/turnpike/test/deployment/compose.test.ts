/** deploy/docker/compose.yaml: its values fit the image, the gateway and Redis. Both are started with what it says. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startRedisServer, titleWithRedis, withoutRedis } from '@turnpike/testkit/redis-server'
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { makeFolder } from '../support/folder.ts'
import { finished, startForTest } from '../support/process.ts'
import { readDockerfile } from './support/dockerfile.ts'

interface Service {
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly ports?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly command?: readonly string[]
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly [setting: string]: unknown
}

const file = fileURLToPath(new URL('../../../../deploy/docker/compose.yaml', import.meta.url))
const text = readFileSync(file, 'utf8')
const { services, volumes } = parse(text) as { services: Record<string, Service>; volumes: Record<string, null> }
const gateway = services['gateway']!
const redis = services['redis']!
const inFolder = (path: string) => join(dirname(file), path)

/** The environment of the gateway, with the variables of the shell that it requires. */
const environment = (change: Record<string, string> = {}) => ({
  ...gateway.environment,
  SVC_SECRET_MANAGEMENT_KEY: 'a-long-random-text',
  SVC_GW_NODESECRET: 'another-long-random-text',
  ...change,
})

it('builds the image from files that exist, and mounts folders that exist or that it declares', () => {
  const { context, dockerfile } = gateway.build!
  expect(existsSync(join(inFolder(context), dockerfile))).toBe(true)
  for (const volume of [...gateway.volumes!, ...redis.volumes!]) {
    const [source] = volume.split(':') as [string]
    expect([source, source.startsWith('./') ? existsSync(inFolder(source)) : source in volumes]).toEqual([source, true])
  }
})

it('mounts the data where the image has its volume', () => {
  const image = readDockerfile(join(dirname(file), 'Dockerfile'))
  const { text: path } = image.find(({ name }) => name === 'VOLUME')!
  expect(gateway.volumes).toContain(`gateway-data:${path}`)
})

it('requires secrets from the shell and has none of its own', () => {
  expect(gateway.environment!['SVC_GW_NODESECRET']).toMatch(/^\$\{TURNPIKE_NODE_SECRET:\?set /)
  expect(gateway.environment!['SVC_SECRET_MANAGEMENT_KEY']).toMatch(/^\$\{TURNPIKE_MANAGEMENT_KEY:\?set /)
})

it('publishes the port of clients, and the control port on this machine only', () => {
  const control = gateway.environment!['SVC_GW_CONTROLAPIPORT']
  expect(gateway.ports).toEqual(['8080:8080', `127.0.0.1:${control}:${control}`])
  expect(redis.ports).toBeUndefined()
})

it('gives the gateway no privileges and a file system that it cannot change', () => {
  expect(gateway).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
})

it('starts the gateway after Redis, and stops it later than its own time limit', () => {
  expect(gateway.depends_on).toEqual({ redis: { condition: 'service_healthy' } })
  expect(redis.healthcheck!.test).toEqual(['CMD', 'redis-cli', 'ping'])
  expect(Number.parseInt(String(gateway['stop_grace_period']), 10)).toBeGreaterThan(30)
})

it('sets only variables and keys that the gateway knows', async () => {
  const checked = await finished(dirname(file), ['check', '--conf', 'gateway.json'], { environment: environment() })
  expect([checked.code, checked.text]).toEqual([0, expect.stringContaining('0 errors, 0 warnings')])
})

it.skipIf(withoutRedis !== undefined)(titleWithRedis('starts and stores keys in Redis'), async () => {
  const [program, ...args] = redis.command!
  expect(program).toBe('redis-server')
  const server = await startRedisServer({ args })
  onTestFinished(() => server.close())
  const folder = makeFolder()
  onTestFinished(() => folder.remove())
  folder.write('gateway.json', readFileSync(inFolder('gateway.json'), 'utf8'))
  folder.write('apps/hello.json', readFileSync(inFolder('apps/hello.json'), 'utf8'))
  const running = await startForTest(folder, [], {
    environment: environment({
      SVC_GW_LISTENPORT: '0',
      SVC_GW_CONTROLAPIPORT: '0',
      SVC_GW_STORAGE_HOST: '127.0.0.1',
      SVC_GW_STORAGE_PORT: String(server.port),
    }),
  })
  expect(running.text()).toContain('Redis')
  const greeting = await fetch(`${running.url}/greeting/`)
  expect([greeting.status, await greeting.json()]).toEqual([200, { message: 'the gateway runs' }])
})
