import { describe, expect, it } from 'vitest'
import { makeTestGateway } from '../../test/test-gateway.ts'
import type { DebugInput, ExplainRequest } from '../management.ts'

describe('POST /svc/explain', () => {
  it('sends the request and shows stages and response', async () => {
    const asked: ExplainRequest[] = []
    const explain = async (request: ExplainRequest) => {
      asked.push(request)
      const stages = [{ stage: 'auth-token', phase: '2-identify', verdict: 'rejected', micros: 7, notes: ['no key'] }]
      return { apiId: 'a', status: 401, headers: ['x-a', '1', 'x-a', '2'], body: '{}', stages }
    }
    const gateway = await makeTestGateway({ management: { explain } })
    const body = { path: '/a/x?y=1', headers: { Authorization: 'k' }, body: 'hi', dry: true }
    const { json } = await gateway.call('POST', '/svc/explain', body)
    expect(asked).toEqual([
      {
        method: 'GET',
        target: '/a/x?y=1',
        headers: ['authorization', 'k'],
        body: new TextEncoder().encode('hi'),
        dry: true,
      },
    ])
    expect(json).toMatchObject({
      api_id: 'a',
      status: 401,
      headers: { 'x-a': '1, 2' },
      stages: [{ verdict: 'rejected' }],
    })
  })

  it.each([
    { path: 'a' },
    { path: '/a b' },
    { path: '/a\r\nx: y' },
    { path: '/a', method: 'GE T' },
    { path: '/a', headers: [] },
    { path: '/a', dry: 'yes' },
  ])('rejects a body that is not a request: %j', async (body) => {
    const explain = () => Promise.reject(new Error('never'))
    const gateway = await makeTestGateway({ management: { explain } })
    expect((await gateway.call('POST', '/svc/explain', body)).status).toBe(400)
  })

  it('is unknown where nothing can explain', async () => {
    const gateway = await makeTestGateway()
    expect((await gateway.call('POST', '/svc/explain', { path: '/' })).status).toBe(404)
  })
})

describe('POST /svc/debug', () => {
  const received: DebugInput[] = []
  const debug = async (input: DebugInput) => {
    received.push(input)
    return { response: 'both', logs: '{}\n' }
  }
  const call = async (body: unknown) =>
    (await makeTestGateway({ management: { debug } })).call('POST', '/svc/debug', body)

  it('reads names of members in any case', async () => {
    const { json } = await call({ Spec: { api_id: 'a' }, REQUEST: { Path: '/x', headers: { 'X-A': ['1', '2'] } } })
    expect(json).toEqual({ message: 'ok', response: 'both', logs: '{}\n' })
    expect(received.at(-1)).toEqual({
      spec: '{"api_id":"a"}',
      method: 'GET',
      path: '/x',
      headers: ['x-a', '1', 'x-a', '2'],
      body: '',
    })
  })

  it.each([
    [[1], 'Request malformed'],
    [{ spec: 'text', request: {} }, 'Request malformed'],
    [{ spec: {}, request: { headers: { 'X-A': 'text' } } }, 'Request malformed'],
    [{ spec: {}, request: { path: 1 } }, 'Request malformed'],
    [{ spec: { proxy: { listen_path: 1 } }, request: {} }, 'Request malformed'],
    [{ oas: { 'x-svc-api-gateway': { server: { listenPath: { value: 1 } } } }, request: {} }, 'Request malformed'],
    [{ request: {} }, 'Spec field is missing'],
    [{ spec: {} }, 'Request field is missing'],
    [{ oas: {}, request: null }, 'Request field is missing'],
  ])('rejects %j', async (body, message) => {
    expect(await call(body)).toMatchObject({ status: 400, json: { status: 'error', message } })
  })

  it('shows the logs of a definition that cannot be served', async () => {
    const gateway = await makeTestGateway({ management: { debug: async () => ({ logs: 'why' }) } })
    expect(await gateway.call('POST', '/svc/debug', { spec: {}, request: {} })).toMatchObject({
      status: 400,
      json: { message: 'error', response: '', logs: 'why' },
    })
  })
})

describe('GET /config and GET /env', () => {
  const field = (name: string, value: string) => ({ name, env: `SVC_GW_${name.toUpperCase()}`, value })
  const inspect = () => ({
    config: {
      secret: 's3cret',
      secrets: { db: 'x' },
      storage: { host: 'h', password: 'pw', addrs: ['redis://u:pw@h:1'] },
      enable_key_logging: true,
      listen_port: 8080,
    },
    fields: [field('secret', 's3cret'), field('node_secret', ''), field('url', 'http://u:pw@h/x'), field('port', '80')],
  })
  const options = { configInspection: true }
  const open = () => makeTestGateway({ options, management: { inspect } })

  it('show the configuration without its secrets', async () => {
    expect((await (await open()).call('GET', '/config')).json).toEqual({
      secret: '*REDACTED*',
      secrets: null,
      storage: { host: 'h', password: '*REDACTED*', addrs: ['redis://*REDACTED*@h:1'] },
      enable_key_logging: true,
      listen_port: 8080,
    })
    expect((await (await open()).call('GET', '/env')).json).toEqual([
      'SVC_GW_SECRET=*REDACTED*',
      "SVC_GW_NODE_SECRET=''",
      'SVC_GW_URL=http://*REDACTED*@h/x',
      'SVC_GW_PORT=80',
    ])
  })

  it('show one field, by its name or its variable', async () => {
    const gateway = await open()
    const secret = { config_field: 'secret', env: 'SVC_GW_SECRET', value: '*REDACTED*', obfuscated: true }
    expect((await gateway.call('GET', '/config?field=secret')).json).toEqual(secret)
    expect((await gateway.call('POST', '/env?env=SVC_GW_SECRET', {})).json).toEqual(secret)
    expect((await gateway.call('GET', '/config?field=url')).json).toMatchObject({ obfuscated: true })
    expect((await gateway.call('GET', '/config?field=node_secret')).json).toMatchObject({ value: '', obfuscated: true })
    expect((await gateway.call('GET', '/config?field=port')).json).toMatchObject({ value: '80', obfuscated: false })
    expect(await gateway.call('GET', '/config?field=x')).toMatchObject({
      status: 404,
      json: { error: 'field not found' },
    })
  })

  it('want the management key, and a path without a slash at its end', async () => {
    const gateway = await open()
    expect((await gateway.callOpen('GET', '/config')).status).toBe(403)
    expect((await gateway.call('GET', '/config/')).status).toBe(404)
    expect(gateway.api.owns('/config/')).toBe(false)
  })

  it('are off by default, and then no paths of this API', async () => {
    const gateway = await makeTestGateway({ management: { inspect } })
    expect((await gateway.call('GET', '/config')).status).toBe(404)
    expect(gateway.api.owns('/config')).toBe(false)
  })
})

describe('profiles', () => {
  const asked: number[] = []
  const profiler = {
    heap: async () => 'heap',
    cpu: async (seconds: number) => {
      asked.push(seconds)
      return 'cpu'
    },
  }

  it('are served without a key, with an index', async () => {
    const gateway = await makeTestGateway({ management: { profiler } })
    expect((await gateway.callOpen('GET', '/debug/pprof/')).text).toContain('heap')
    expect((await gateway.callOpen('GET', '/debug/pprof/heap')).text).toBe('heap')
    expect((await gateway.callOpen('GET', '/debug/pprof/other')).status).toBe(404)
  })

  it('take the seconds within limits', async () => {
    const gateway = await makeTestGateway({ management: { profiler } })
    for (const seconds of ['2', '', 'x', '-1', '9999'])
      await gateway.callOpen('GET', `/debug/pprof/profile?seconds=${seconds}`)
    expect(asked).toEqual([2, 30, 30, 30, 300])
  })

  it('are no paths of this API if they are off', async () => {
    const gateway = await makeTestGateway()
    expect(gateway.api.owns('/debug/pprof/')).toBe(false)
  })
})
