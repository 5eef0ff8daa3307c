import { makeFakeUpstream, makeMemoryLog, makeVirtualClock } from '@turnpike/testkit'
import { describe, expect, it } from 'vitest'
import { createGateway } from './create-gateway.ts'
import { defineApi } from './define-api.ts'

async function linesWith(config: Readonly<Record<string, unknown>>) {
  const clock = makeVirtualClock()
  const log = makeMemoryLog()
  const definitions = [defineApi({ id: 'keyed', target: 'http://upstream.test/', orgId: 'acme' })]
  const gateway = await createGateway({ clock, log, upstream: makeFakeUpstream(clock), config, definitions })
  await gateway.keys.create(
    { org_id: 'acme', access_rights: { keyed: { versions: ['Default'] } } },
    { id: 'anna-secret' },
  )
  await gateway.inject({ url: '/keyed/a', headers: { Authorization: 'anna-secret', 'User-Agent': 'test' } })
  await gateway.inject('/keyed/b')
  await gateway.inject('/nowhere')
  await gateway.close(0)
  return log
}

describe('access_logs', () => {
  it('writes one line a request, keys obfuscated, refusals with their reason', async () => {
    const log = await linesWith({ access_logs: { enabled: true } })
    const lines = log.lines.filter((line) => line.fields.prefix === 'access-log').map((line) => line.fields)
    expect(lines).toMatchObject([
      { api_id: 'keyed', api_key: expect.stringMatching(/^\*{4}.{4}$/), path: '/a', status: 200, user_agent: 'test' },
      {
        api_id: 'keyed',
        api_key: '--',
        path: '/b',
        status: 401,
        response_flag: 'auth-missing',
        response_code_details: 'Authorization field missing',
        error_source: 'auth-token',
        error_target: '',
      },
      { api_id: '', path: '/nowhere', status: 404 },
    ])
    expect(log.mentions('anna-secret')).toBe(false)
  })

  it('keeps the fields that the template names', async () => {
    const log = await linesWith({ access_logs: { enabled: true, template: ['status', 'path'] } })
    const line = log.lines.find((one) => one.fields.prefix === 'access-log')
    expect(line?.fields).toEqual({ prefix: 'access-log', path: '/a', status: 200 })
  })

  it('writes nothing unless asked to', async () => {
    const log = await linesWith({})
    expect(log.lines.some((line) => line.fields.prefix === 'access-log' || line.level === 'error')).toBe(false)
  })
})

describe('track_404_logs', () => {
  it('reports unknown paths at error level', async () => {
    const log = await linesWith({ track_404_logs: true })
    expect(log.lines.filter((line) => line.level === 'error')).toMatchObject([
      { message: 'path not found', fields: { method: 'GET', path: '/nowhere' } },
    ])
  })
})
