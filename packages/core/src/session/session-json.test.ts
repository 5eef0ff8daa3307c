import { describe, expect, test } from 'vitest'
import { parseSession, toWireSession } from './session-json.ts'

function reparsed(json: unknown): unknown {
  const parsed = parseSession(json)
  return parsed.session === undefined ? parsed.problem : toWireSession(parsed.session)
}

describe('a session as JSON', () => {
  test('has the format of the original gateway', () => {
    const stored = {
      rate: 2,
      per: 30,
      date_created: '2026-11-21T10:17:49.39867332Z',
      quota_renews: 1795256269,
      access_rights: {
        a1: {
          api_name: 'a1',
          api_id: 'a1',
          versions: ['Default'],
          limit: {
            rate: 5,
            per: 40,
            quota_max: 7,
            quota_renews: 1795256329,
            quota_remaining: 6,
            quota_renewal_rate: 60,
          },
          allowance_scope: 'a1',
        },
      },
      org_id: 'org1',
      last_updated: '1795256269',
    }
    expect(reparsed(stored)).toEqual(stored)
  })

  test('omits zero values', () => {
    expect(
      reparsed({
        org_id: '',
        rate: 0,
        tags: [],
        meta_data: {},
        monitor: { trigger_limits: [] },
        basic_auth_data: { password: '', hash_type: '' },
        smoothing: null,
        access_rights: {},
        date_created: '0001-01-01T00:00:00Z',
        is_inactive: false,
      }),
    ).toEqual({})
  })

  test('drops unknown fields', () => {
    expect(reparsed({ alias: 'a', colour: 'red' })).toEqual({ alias: 'a' })
  })

  test.each([
    [{ rate: 'fast' }, 'rate'],
    [{ access_rights: { a: { versions: 'Default' } } }, 'access_rights.a.versions'],
    [{ quota_max: 1.5 }, 'quota_max'],
    [{ date_created: 'yesterday' }, 'date_created'],
    [{ last_updated: 1795256269 }, 'last_updated'],
    [[], 'must be an object'],
  ])('cannot be read from %j', (json, place) => {
    expect(reparsed(json)).toContain(place)
  })

  test('keeps metadata with names that are special to JavaScript, without a prototype', () => {
    const json = JSON.parse('{"access_rights":{"__proto__":{"api_id":"x"}},"meta_data":{"constructor":1}}')
    expect(JSON.stringify(reparsed(json))).toBe('{"meta_data":{"constructor":1}}')
  })
})
