import { describe, expect, it } from 'vitest'
import {
  type FakeOptions,
  type FakeRequest,
  fakeCompileContext,
  fakeContext,
} from '../../../test/support/pipeline/fake-compile-context.ts'
import { rejections } from '../../http/errors.ts'
import { makePathLists } from './enforce-path-lists.ts'

function ask(paths: Record<string, unknown>, request: FakeRequest & { loopLevel?: number }, options?: FakeOptions) {
  const compileContext = fakeCompileContext({}, {}, paths, options)
  const context = fakeContext(compileContext, request)
  context.loopLevel = request.loopLevel ?? 0
  return { outcome: makePathLists(compileContext)?.run(context), ignored: context.ignored }
}
const forbidden = { outcome: rejections.pathForbidden, ignored: false }
const passes = { outcome: undefined, ignored: false }

describe('path lists', () => {
  it('are no stage where a version has none', () => {
    expect(makePathLists(fakeCompileContext({}))).toBeNull()
  })

  it('forbid what is outside of an allow list, by path and method', () => {
    const paths = { white_list: [{ path: '/open' }, { path: '/post', method: 'POST' }] }
    expect(ask(paths, { url: '/other' })).toEqual(forbidden)
    expect(ask(paths, { url: '/open' })).toEqual(passes)
    expect(ask(paths, { url: '/post', method: 'POST' })).toEqual(passes)
    expect(ask(paths, { url: '/post' })).toEqual(forbidden)
  })

  it('let all pass when every entry of the allow list is disabled', () => {
    expect(ask({ white_list: [{ path: '/open', disabled: true }] }, { url: '/other' })).toEqual(passes)
  })

  it('forbid what is on the block list, anywhere in the path and with the listen path', () => {
    const paths = { black_list: [{ path: '/no' }, { path: '/a/full' }] }
    for (const url of ['/no', '/deep/no/where', '/nowhere', '/full/x']) expect(ask(paths, { url })).toEqual(forbidden)
    expect(ask(paths, { url: '/yes' })).toEqual(passes)
  })

  it('forbid a blocked path also where it is written with percent escapes', () => {
    const paths = { black_list: [{ path: '/admin/keys' }] }
    for (const url of ['/%61dmin/keys', '/admin%2Fkeys', '/admin/%6beys/%zz', '/%61dmin/keys/%ff']) {
      expect(ask(paths, { url })).toEqual(forbidden)
    }
  })

  it('forbid a blocked path with a line feed where the pattern has a dot', () => {
    expect(ask({ black_list: [{ path: '/orders/.*/raw' }] }, { url: '/orders/1%0a/raw' })).toEqual(forbidden)
  })

  it('mind case unless the entry, the version or the gateway folds it', () => {
    const paths = { black_list: [{ path: '/no' }, { path: '/shout', ignore_case: true }] }
    expect(ask(paths, { url: '/NO' })).toEqual(passes)
    expect(ask(paths, { url: '/SHOUT' })).toEqual(forbidden)
    expect(ask(paths, { url: '/NO' }, { routing: { ignoreEndpointCase: true } })).toEqual(forbidden)
    const compileContext = fakeCompileContext({}, { ignore_endpoint_case: true }, paths)
    expect(makePathLists(compileContext)?.run(fakeContext(compileContext, { url: '/NO' }))).toBe(
      rejections.pathForbidden,
    )
  })

  it('ask for no key on ignored paths: ignored beats block beats allow', () => {
    const x = [{ path: '/x' }]
    expect(ask({ ignored: x, black_list: x, white_list: x }, { url: '/x' })).toEqual({ ...passes, ignored: true })
    expect(ask({ black_list: x, white_list: x }, { url: '/x' })).toEqual(forbidden)
    expect(ask({ ignored: [{ path: '/x', method: 'GET' }] }, { url: '/x', method: 'POST' })).toEqual(passes)
  })

  it('answer with a mock before everything else, for its method only', () => {
    const mock = { path: '/m', method: 'GET', code: 202, body: '{"a":1}', headers: { 'X-Mocked': '1' } }
    const paths = { mock_response: [mock], black_list: [{ path: '/m' }] }
    expect(ask(paths, { url: '/m' }).outcome).toEqual({
      status: 202,
      headers: ['x-mocked', '1', 'content-type', 'text/plain; charset=utf-8'],
      body: '{"a":1}',
    })
    expect(ask(paths, { url: '/m', method: 'POST' })).toEqual(forbidden)
  })

  it('reply for method actions, and follow the list where the action is none', () => {
    const headers = { 'X-Old': '1' }
    const paths = {
      ignored: [
        {
          path: '/old',
          method_actions: {
            GET: { action: 'reply', code: 418, data: 'teapot', headers },
            PUT: { action: 'no_action' },
          },
        },
      ],
    }
    expect(ask(paths, { url: '/old' }).outcome).toMatchObject({ status: 418, body: 'teapot' })
    expect(ask(paths, { url: '/old', method: 'PUT' })).toEqual({ ...passes, ignored: true })
    expect(ask(paths, { url: '/old', method: 'DELETE' })).toEqual(passes)
  })

  it('close internal paths to all but looped requests, whatever other lists say', () => {
    const inner = [{ path: '/inner', method: 'GET' }]
    const paths = { internal: inner, ignored: inner, white_list: [{ path: '/open' }] }
    expect(ask(paths, { url: '/inner' })).toEqual(forbidden)
    expect(ask(paths, { url: '/inner', loopLevel: 1 })).toEqual({ ...passes, ignored: true })
    expect(ask({ internal: inner, white_list: [{ path: '/open' }] }, { url: '/inner', loopLevel: 1 })).toEqual(passes)
  })

  it('leave a preflight to CORS', () => {
    const compileContext = fakeCompileContext({ CORS: { enable: true } }, {}, { black_list: [{ path: '/no' }] })
    const preflight = { url: '/no', method: 'OPTIONS', headers: { 'access-control-request-method': 'GET' } }
    expect(makePathLists(compileContext)?.run(fakeContext(compileContext, preflight))).toBeUndefined()
    expect(makePathLists(compileContext)?.run(fakeContext(compileContext, { url: '/no', method: 'OPTIONS' }))).toBe(
      rejections.pathForbidden,
    )
  })

  it('leave out a rule whose path is no pattern, with a warning', () => {
    const compileContext = fakeCompileContext({}, {}, { black_list: [{ path: '/(' }, { path: '/no' }] })
    expect(makePathLists(compileContext)?.run(fakeContext(compileContext, { url: '/no' }))).toBe(
      rejections.pathForbidden,
    )
    expect(compileContext.warnings).toHaveLength(1)
  })
})
