import { describe, expect, it } from 'vitest'
import {
  type FakeRequest,
  fakeCompileContext,
  fakeContext,
} from '../../../test/support/pipeline/fake-compile-context.ts'
import { headerOf } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { makeCors } from './cors.ts'

const strict = {
  enable: true,
  allowed_origins: ['http://a.test', 'https://*.b.test'],
  allowed_methods: ['GET', 'PUT'],
  allowed_headers: ['X-One'],
  exposed_headers: ['X-Seen'],
  allow_credentials: true,
  max_age: 24,
}

function runStage(cors: Record<string, unknown>, request: FakeRequest) {
  const compileContext = fakeCompileContext({ CORS: cors })
  const context = fakeContext(compileContext, request)
  const response = makeCors(compileContext)?.run(context) as GatewayResponse | undefined
  const headers = response?.headers ?? context.extraHeaders ?? []
  return { status: response?.status, header: (name: string) => headerOf(headers, name) }
}
const preflight = (headers: Record<string, string>): FakeRequest => ({
  method: 'OPTIONS',
  headers: { Origin: 'http://a.test', 'Access-Control-Request-Method': 'PUT', ...headers },
})

describe('CORS', () => {
  it('adds no stage unless it is enabled', () => {
    expect(makeCors(fakeCompileContext({}))).toBeNull()
  })

  it('responds to a preflight with the requested permissions', () => {
    const { status, header } = runStage(strict, preflight({ 'Access-Control-Request-Headers': 'x-one' }))
    expect(status).toBe(204)
    expect(header('access-control-allow-origin')).toBe('http://a.test')
    expect(header('access-control-allow-methods')).toBe('PUT')
    expect(header('access-control-allow-headers')).toBe('x-one')
    expect(header('access-control-allow-credentials')).toBe('true')
    expect(header('access-control-max-age')).toBe('24')
  })

  it('treats OPTIONS with an empty requested method as any other', () => {
    const { status, header } = runStage(strict, preflight({ 'Access-Control-Request-Method': '' }))
    expect([status, header('access-control-allow-origin')]).toEqual([200, 'http://a.test'])
  })

  it('gives no permission to an empty origin, nor for a method in small letters', () => {
    const origin = (cors: object, headers: Record<string, string>) =>
      runStage({ enable: true, ...cors }, preflight(headers)).header('access-control-allow-origin')
    expect(origin({}, { Origin: '', 'Access-Control-Request-Method': 'GET' })).toBeUndefined()
    expect(origin({ allowed_methods: ['put'] }, {})).toBeUndefined()
    expect(origin({ allowed_methods: ['PUT'] }, {})).toBe('*')
  })

  it('adds the quota headers to a preflight', () => {
    const { header } = runStage(strict, preflight({}))
    expect(['limit', 'remaining', 'reset'].map((name) => header(`x-ratelimit-${name}`))).toEqual(['0', '0', '0'])
  })

  it.each([
    ['another origin', { Origin: 'http://b.test' }],
    ['another method', { 'Access-Control-Request-Method': 'DELETE' }],
    ['another header', { 'Access-Control-Request-Headers': 'x-one, x-evil' }],
    ['a header in upper case', { 'Access-Control-Request-Headers': 'X-One' }],
  ])('gives no permission to a preflight for %s', (_, headers) => {
    const { status, header } = runStage(strict, preflight(headers))
    expect(status).toBe(204)
    expect(header('access-control-allow-origin')).toBeUndefined()
  })

  it('allows every origin, simple methods and common headers by default', () => {
    const asked = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'content-type' }
    expect(runStage({ enable: true }, preflight(asked)).header('access-control-allow-origin')).toBe('*')
    const put = preflight({})
    expect(runStage({ enable: true }, put).header('access-control-allow-origin')).toBeUndefined()
  })

  it('gives no permission to a request with another method, which passes', () => {
    const origin = { Origin: 'http://a.test' }
    const { status, header } = runStage(strict, { method: 'POST', headers: origin })
    expect(status).toBeUndefined()
    expect(header('access-control-allow-origin')).toBeUndefined()
    expect(header('access-control-expose-headers')).toBeUndefined()
    expect(header('access-control-allow-credentials')).toBeUndefined()
    expect(header('vary')).toBe('Origin')
    const allowed = (method: string) =>
      runStage({ enable: true }, { method, headers: origin }).header('access-control-allow-origin')
    expect(['GET', 'POST', 'HEAD', 'PUT', 'DELETE'].map(allowed)).toEqual(['*', '*', '*', undefined, undefined])
  })

  it('writes exposed headers in their usual form, and an age of 0 for a negative one', () => {
    const { header } = runStage({ enable: true, exposed_headers: ['x-seen', 'X-TWO'] }, { headers: { Origin: 'o' } })
    expect(header('access-control-expose-headers')).toBe('X-Seen, X-Two')
    const age = (max_age: number) => runStage({ ...strict, max_age }, preflight({})).header('access-control-max-age')
    expect([24, 0, -1].map(age)).toEqual(['24', undefined, '0'])
  })

  it('supports one wildcard in an origin', () => {
    const origin = (value: string) =>
      runStage(strict, { headers: { Origin: value } }).header('access-control-allow-origin')
    expect(origin('https://x.b.test')).toBe('https://x.b.test')
    expect(origin('https://b.test')).toBeUndefined()
    expect(origin('https://x.b.test.evil')).toBeUndefined()
  })

  it('adds headers to every response to an allowed origin', () => {
    const { status, header } = runStage(strict, { headers: { Origin: 'http://a.test' } })
    expect(status).toBeUndefined()
    expect(header('access-control-allow-origin')).toBe('http://a.test')
    expect(header('access-control-expose-headers')).toBe('X-Seen')
    expect(header('access-control-allow-credentials')).toBe('true')
    expect(header('vary')).toBe('Origin')
    expect(
      runStage(strict, { headers: { Origin: 'http://b.test' } }).header('access-control-allow-origin'),
    ).toBeUndefined()
    expect(runStage(strict, {}).header('access-control-allow-origin')).toBeUndefined()
  })

  it('responds to any other OPTIONS request with an empty 200', () => {
    expect(runStage(strict, { method: 'OPTIONS' }).status).toBe(200)
  })
})
