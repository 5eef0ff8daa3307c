import { makeFakeUpstream, makeMemoryLog, makeVirtualClock } from '@turnpike/testkit'
import { describe, expect, it } from 'vitest'
import { createGateway } from './create-gateway.ts'
import { defineApi } from './define-api.ts'
import { accessLogOf } from './write-access-log.ts'

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
  it('writes one line per request of an API, with the end of its key and the reason of a rejection', async () => {
    const log = await linesWith({ access_logs: { enabled: true } })
    const lines = log.lines.filter((line) => line.fields.prefix === 'access-log').map((line) => line.fields)
    expect(lines).toHaveLength(2)
    expect(lines).toMatchObject([
      { api_id: 'keyed', api_key: '****cret', path: '/a', status: 200, user_agent: 'test', type: 'request' },
      {
        api_id: 'keyed',
        api_key: '--',
        path: '/keyed/b',
        status: 401,
        mw: 'AuthKey',
        response_flag: 'AMF',
        response_code_details: 'auth_field_missing',
        error_source: 'AuthKey',
      },
    ])
    expect(Object.keys(lines[0] ?? {}).slice(1)).toEqual(
      Object.keys(lines[0] ?? {})
        .slice(1)
        .sort(),
    )
    expect(log.mentions('anna-secret')).toBe(false)
  })

  it('keeps the fields that the template names, and those that every line has', async () => {
    const log = await linesWith({ access_logs: { enabled: true, template: ['status', 'path', 'no-such-field'] } })
    const line = log.lines.find((one) => one.fields.prefix === 'access-log')
    const always = { prefix: 'access-log', api_id: 'keyed', api_name: 'keyed', org_id: 'acme', type: 'request' }
    expect(line?.fields).toEqual({ ...always, path: '/a', status: 200 })
  })

  it('keeps only the fields that the template names if the upstream cannot be reached', () => {
    const log = makeMemoryLog()
    const accessLog = accessLogOf({ accessLogs: { enabled: true, template: ['status'] } }, log)
    accessLog?.write({ fields: { api_name: 'a', org_id: 'o', status: 500 }, isUpstreamFailure: true })
    expect(log.lines.map((line) => line.fields)).toEqual([{ prefix: 'access-log', status: 500 }])
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
