import { describe, expect, it } from 'vitest'
import { makeTestGateway } from '../../test/test-gateway.ts'
import type { ExplainRequest } from '../management.ts'
import { blankSecrets } from './blank-secrets.ts'

describe('POST /svc/explain', () => {
  it('sends the request and shows stages and response', async () => {
    const asked: ExplainRequest[] = []
    const explain = async (request: ExplainRequest) => {
      asked.push(request)
      const stages = [{ stage: 'auth-token', phase: '2-identify', verdict: 'refused', micros: 7, notes: ['no key'] }]
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
      stages: [{ verdict: 'refused' }],
    })
  })

  it.each([
    { path: 'a' },
    { path: '/a b' },
    { path: '/a\r\nx: y' },
    { path: '/a', method: 'GE T' },
    { path: '/a', headers: [] },
    { path: '/a', dry: 'yes' },
  ])('refuses what is no request: %j', async (body) => {
    const explain = () => Promise.reject(new Error('never'))
    const gateway = await makeTestGateway({ management: { explain } })
    expect((await gateway.call('POST', '/svc/explain', body)).status).toBe(400)
  })

  it('is unknown where nothing can explain', async () => {
    const gateway = await makeTestGateway()
    expect((await gateway.call('POST', '/svc/explain', { path: '/' })).status).toBe(404)
  })
})

describe('GET /config and GET /env', () => {
  const inspect = () => ({
    config: {
      secret: 's3cret',
      storage: { host: 'h', password: 'pw', addrs: ['redis://u:pw@h:1'] },
      listen_port: 8080,
    },
    env: { SVC_GW_SECRET: 's3cret', SVC_GW_LISTENPORT: '8080' },
  })

  it('show the configuration without its secrets', async () => {
    const gateway = await makeTestGateway({ options: { configInspection: true }, management: { inspect } })
    expect((await gateway.call('GET', '/config')).json).toEqual({
      secret: '',
      storage: { host: 'h', password: '', addrs: ['redis://h:1'] },
      listen_port: 8080,
    })
    expect((await gateway.call('GET', '/env')).json).toEqual({ SVC_GW_SECRET: '', SVC_GW_LISTENPORT: '8080' })
  })

  it('want the management key', async () => {
    const gateway = await makeTestGateway({ options: { configInspection: true }, management: { inspect } })
    expect((await gateway.callOpen('GET', '/config')).status).toBe(403)
  })

  it('are off by default, and then no paths of this API', async () => {
    const gateway = await makeTestGateway({ management: { inspect } })
    expect((await gateway.call('GET', '/config')).status).toBe(404)
    expect(gateway.api.owns('/config')).toBe(false)
  })
})

describe('blanking', () => {
  it('empties every text below a name that speaks of a secret, and no switch or number', () => {
    const value = { secrets: { db: 'x', list: ['y'] }, min_token_length: 3, password_login: true, nodeSecret: 'z' }
    expect(blankSecrets(value)).toEqual({
      secrets: { db: '', list: [''] },
      min_token_length: 3,
      password_login: true,
      nodeSecret: '',
    })
  })
})
