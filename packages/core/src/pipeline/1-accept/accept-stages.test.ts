import { describe, expect, it } from 'vitest'
import {
  type FakeOptions,
  type FakeRequest,
  fakeCompileContext,
  fakeContext,
} from '../../../test/support/pipeline/fake-compile-context.ts'
import { rejections } from '../../http/rejections.ts'
import { makeIpFilter } from './ip-filter.ts'
import { makeSizeLimit } from './size-limit.ts'
import { makeVersionCheck } from './version-check.ts'

describe('the address lists', () => {
  const runStage = (api: Record<string, unknown>, request: FakeRequest, options?: FakeOptions) => {
    const compileContext = fakeCompileContext(api, {}, {}, options)
    return makeIpFilter(compileContext)?.run(fakeContext(compileContext, request))
  }
  const allow = { allowed_ips: ['10.1.1.1', '10.2.0.0/16', '2001:db8::/32'] }

  it('add no stage if they are empty or disabled', () => {
    expect(makeIpFilter(fakeCompileContext({}))).toBeNull()
    expect(makeIpFilter(fakeCompileContext({ ...allow, ip_access_control_disabled: true }))).toBeNull()
    expect(
      makeIpFilter(fakeCompileContext({ ...allow, ip_access_control_disabled: true, enable_ip_whitelisting: true })),
    ).not.toBe(null)
  })

  it('allow only listed addresses and ranges', () => {
    for (const ip of ['10.1.1.1', '10.2.3.4', '2001:db8::7', '::ffff:10.1.1.1']) {
      expect(runStage(allow, { headers: { 'X-Real-IP': ip } })).toBeUndefined()
    }
    for (const ip of ['10.1.1.2', '10.3.0.1', '2001:db9::7']) {
      expect(runStage(allow, { headers: { 'X-Real-IP': ip } })).toBe(rejections.ipForbidden)
    }
    expect(runStage(allow, {})).toBe(rejections.ipForbidden)
  })

  it('block addresses, also those on the allow list', () => {
    const api = { allowed_ips: ['10.0.0.0/8'], blacklisted_ips: ['10.66.0.0/16'] }
    expect(runStage(api, { remoteAddress: '10.66.1.1' })).toBe(rejections.ipForbidden)
    expect(runStage(api, { remoteAddress: '10.65.1.1' })).toBeUndefined()
  })

  it('reject an unknown client if the forwarding list is shorter than the configured depth', () => {
    const options = { routing: { xffDepth: 2 } }
    expect(runStage(allow, { headers: { 'X-Forwarded-For': '10.1.1.1' } }, options)).toBe(rejections.ipForbidden)
    expect(runStage(allow, { headers: { 'X-Forwarded-For': '10.1.1.1, 9.9.9.9' } }, options)).toBeUndefined()
  })
})

describe('the size limit', () => {
  const runStage = (version: Record<string, unknown>, paths: Record<string, unknown>, request: FakeRequest) => {
    const compileContext = fakeCompileContext({}, version, paths)
    return makeSizeLimit(compileContext)?.run(fakeContext(compileContext, { method: 'POST', ...request }))
  }

  it('adds no stage without a limit, or if the limit of the version is disabled', () => {
    expect(makeSizeLimit(fakeCompileContext({}))).toBeNull()
    expect(makeSizeLimit(fakeCompileContext({}, { global_size_limit: 5, global_size_limit_disabled: true }))).toBeNull()
  })

  it('of the version rejects longer bodies', () => {
    expect(runStage({ global_size_limit: 10 }, {}, { body: '12345678901' })).toBe(rejections.requestTooLarge)
    expect(runStage({ global_size_limit: 10 }, {}, { body: '1234567890' })).toBeUndefined()
  })

  it('of a path applies to the path, after the limit of the version', () => {
    const paths = { size_limits: [{ path: '/small', method: 'POST', size_limit: 5 }] }
    expect(runStage({}, paths, { url: '/small', body: '123456' })).toBe(rejections.requestTooLarge)
    expect(runStage({}, paths, { url: '/other', body: '123456' })).toBeUndefined()
    expect(runStage({ global_size_limit: 3 }, paths, { url: '/small', body: '1234' })).toBe(rejections.requestTooLarge)
  })

  it('requires a valid Content-Length', () => {
    expect(runStage({ global_size_limit: 10 }, {}, {})).toBe(rejections.lengthRequired)
    expect(runStage({ global_size_limit: 10 }, {}, { headers: { 'Content-Length': 'x' } })).toBe(
      rejections.lengthInvalid,
    )
  })

  it('ignores methods without a body', () => {
    for (const method of ['GET', 'DELETE', 'TRACE', 'OPTIONS', 'HEAD']) {
      expect(runStage({ global_size_limit: 1 }, {}, { method, body: '12345' })).toBeUndefined()
    }
  })
})

describe('the version check', () => {
  const at2050 = 2_524_608_000_000

  it('adds no stage for a version that never expires', () => {
    expect(makeVersionCheck(fakeCompileContext({ expiration: '-1' }))).toBeNull()
  })

  it('sends the expiry of an API, and rejects requests after it', () => {
    const compileContext = fakeCompileContext({ expiration: '2050-01-01 00:00' })
    const stage = makeVersionCheck(compileContext)
    const before = fakeContext(compileContext, { now: at2050 - 1 })
    expect(stage?.run(before)).toBeUndefined()
    expect(before.extraHeaders).toEqual(['x-svc-api-expires', 'Sat, 01 Jan 2050 00:00:00 UTC'])
    expect(stage?.run(fakeContext(compileContext, { now: at2050 }))).toBe(rejections.apiExpired)
  })

  it('treats an invalid date as expired', () => {
    const compileContext = fakeCompileContext({ expiration: 'soon' })
    expect(makeVersionCheck(compileContext)?.run(fakeContext(compileContext))).toBe(rejections.apiExpired)
  })

  it('rejects an expired version', () => {
    const versions = { v1: { name: 'v1', expires: '2050-01-01 00:00', use_extended_paths: true } }
    const compileContext = fakeCompileContext({
      version_data: { not_versioned: false, versions },
      definition: { location: 'header', key: 'v' },
    })
    expect(makeVersionCheck(compileContext)?.run(fakeContext(compileContext, { now: at2050 }))).toBe(
      rejections.versionExpired,
    )
  })

  it('announces the expiry of a versioned API, past or future, and does not enforce it', () => {
    const versions = { v1: { name: 'v1', expires: '2060-01-01 00:00' } }
    const version_data = { not_versioned: false, versions }
    const compileContext = fakeCompileContext({ version_data, expiration: '2050-01-01 00:00' })
    const context = fakeContext(compileContext, { now: at2050 })
    expect(makeVersionCheck(compileContext)?.run(context)).toBeUndefined()
    expect(context.extraHeaders).toEqual(['x-svc-api-expires', 'Sat, 01 Jan 2050 00:00:00 UTC'])
  })

  it('only announces the expiry of the version of an unversioned API', () => {
    const compileContext = fakeCompileContext({}, { expires: '2050-01-01 00:00' })
    const before = fakeContext(compileContext)
    const after = fakeContext(compileContext, { now: at2050 })
    for (const context of [before, after]) expect(makeVersionCheck(compileContext)?.run(context)).toBeUndefined()
    expect(before.extraHeaders).toEqual(['x-svc-api-expires', 'Sat, 01 Jan 2050 00:00:00 UTC'])
    expect(after.extraHeaders).toBeUndefined()
    expect(makeVersionCheck(fakeCompileContext({}, { expires: 'soon' }))).toBeNull()
  })

  it('uses the vendor word of the gateway in the header name', () => {
    const compileContext = fakeCompileContext(
      { expiration: '2050-01-01 00:00' },
      {},
      {},
      { settings: { vendor: 'acme' } },
    )
    const context = fakeContext(compileContext)
    expect(makeVersionCheck(compileContext)?.run(context)).toBeUndefined()
    expect(context.extraHeaders?.[0]).toBe('x-acme-api-expires')
  })
})
