import { afterEach, describe, expect, it } from 'vitest'
import { createGateway } from './create-gateway.ts'
import { defineApi } from './define-api.ts'
import type { Gateway } from './gateway.ts'

const open: Gateway[] = []
afterEach(async () => {
  for (const gateway of open.splice(0)) await gateway.close(0)
})

/** Returns the statuses of a path on the host of the configuration and on another one. */
async function statusesOf(path: string, config: object = {}): Promise<number[]> {
  const gateway = await createGateway({
    config: {
      secret: 'key',
      enable_config_inspection: true,
      enable_http_profiler: true,
      control_api_hostname: 'Control.example',
      storage: { type: 'memory' },
      ...config,
    },
    definitions: [defineApi({ id: 'a', target: 'http://upstream.test/', open: true })],
    log: 'silent',
  })
  open.push(gateway)
  const port = 'control_api_port' in config ? Number(config.control_api_port) : 0
  const statuses: number[] = []
  for (const host of ['control.example:9696', 'other.example']) {
    const headers = { host, 'x-svc-authorization': 'key' }
    statuses.push((await gateway.inject({ url: path, headers, port })).status)
  }
  return statuses
}

describe('control_api_hostname', () => {
  it.each(['/config', '/env', '/debug/pprof/'])('is the only host of %s', async (path) => {
    expect(await statusesOf(path)).toEqual([200, 404])
    expect(await statusesOf(path, { control_api_port: 9696 })).toEqual([200, 404])
  })

  it.each(['/svc/../config', '/svc/../debug/pprof/'])('is the only host of %s, which leads there', async (path) => {
    // The APIs redirect to the path without dot segments.
    expect(await statusesOf(path)).toEqual([200, 301])
    expect(await statusesOf(path, { control_api_port: 9696 })).toEqual([200, 404])
  })

  it.each(['/svc/keys', '/hello'])('is not needed for %s', async (path) => {
    expect(await statusesOf(path)).toEqual([200, 200])
  })
})

describe('a management call with a long body', () => {
  it('is read up to max_management_body_size, and the rejection of a longer one names the key', async () => {
    const gateway = await createGateway({ config: { secret: 'key', storage: { type: 'memory' } }, log: 'silent' })
    open.push(gateway)
    const headers = { 'x-svc-authorization': 'key', 'content-type': 'application/json' }
    const post = (body: string) => gateway.inject({ method: 'POST', url: '/svc/keys', headers, body })
    const limit = 16 * 1024 * 1024
    expect((await post(' '.repeat(limit))).status).toBe(400)
    const long = await post(' '.repeat(limit + 1))
    expect([long.status, long.json()]).toEqual([
      413,
      { status: 'error', message: `the body is longer than ${limit} bytes, the limit of max_management_body_size` },
    ])
  })
})
