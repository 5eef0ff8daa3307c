import { describe, expect, it } from 'vitest'
import { defaultBody } from './default-body.ts'
import type { GatewayEvent } from './event.ts'

const api = undefined
const at = Date.UTC(2026, 0, 1)
const bodyOf = (event: GatewayEvent) => JSON.parse(defaultBody(event)) as Record<string, unknown>

describe('bodies of web hooks without a template', () => {
  it('contain the path, the client and the key of a rejected request', () => {
    const facts = {
      about: 'request',
      message: 'Key Quota Limit Exceeded',
      path: '/a/"quoted"',
      origin: '192.0.2.1',
      key: 'k',
      keyLogName: 'h',
      reason: '',
      originatingRequest: () => '',
    } as const
    expect(bodyOf({ name: 'QuotaExceeded', api, at, facts })).toEqual({
      event: 'QuotaExceeded',
      message: 'Key Quota Limit Exceeded',
      path: '/a/"quoted"',
      origin: '192.0.2.1',
      key: 'k',
    })
  })

  it('contain the percentage of a quota that was exceeded', () => {
    const facts = {
      about: 'trigger',
      message: 'Quota trigger reached',
      orgId: 'org1',
      key: 'k',
      keyLogName: 'h',
      triggerLimit: 80,
      usagePercentage: 83.3,
    } as const
    expect(bodyOf({ name: 'TriggerExceeded', api, at, facts })).toEqual({
      event: 'TriggerExceeded',
      message: 'Quota trigger reached',
      org: 'org1',
      key: 'k',
      trigger_limit: '80',
    })
  })

  it('contain the state of a breaker only in the event that needs it', () => {
    const facts = { about: 'breaker', message: 'Breaker Reset', path: '/p', apiId: 'a', change: 'reset' } as const
    const common = { message: 'Breaker Reset', api_id: 'a', path: '/p' }
    expect(bodyOf({ name: 'BreakerTriggered', api, at, facts })).toEqual({
      event: 'BreakerTriggered',
      ...common,
      Status: '1',
    })
    expect(bodyOf({ name: 'BreakerReset', api, at, facts })).toEqual({ event: 'BreakerReset', ...common })
  })

  it('contain the result of an uptime test as texts', () => {
    const facts = {
      about: 'host',
      message: 'Uptime test failed',
      url: 'http://up/x',
      responseCode: 503,
      tcpError: false,
      host: 'up',
      apiId: 'a',
    } as const
    expect(bodyOf({ name: 'HostDown', api, at, facts })).toEqual({
      event: 'HostDown',
      message: 'Uptime test failed',
      url: 'http://up/x',
      response_code: '503',
      tcp_error: 'false',
      host: 'up',
      api_id: 'a',
    })
  })

  it('contain the owner of a key, unlike in the original gateway', () => {
    const facts = { about: 'key', message: 'Key deleted.', orgId: 'org1', key: 'k', keyLogName: 'h' } as const
    expect(bodyOf({ name: 'TokenDeleted', api, at, facts })).toEqual({
      event: 'TokenDeleted',
      message: 'Key deleted.',
      org: 'org1',
      key: 'k',
    })
  })

  it('contain the expiry of a certificate and the remaining time', () => {
    const facts = {
      about: 'certificate',
      message: 'm',
      certificateId: 'id',
      certificateName: 'cn',
      expiresAt: at,
      days: 3,
      role: 'client',
      apiId: '',
    } as const
    expect(bodyOf({ name: 'CertificateExpired', api, at, facts })).toEqual({
      event: 'CertificateExpired',
      message: 'm',
      cert_id: 'id',
      cert_name: 'cn',
      expired_at: '2026-01-01T00:00:00.000Z',
      days_since_expiry: 3,
      cert_role: 'client',
      timestamp: '2026-01-01T00:00:00.000Z',
    })
  })
})
