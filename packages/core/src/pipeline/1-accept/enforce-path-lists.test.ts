import { describe, expect, it } from 'vitest'
import {
  type FakeOptions,
  type FakeRequest,
  fakeCompileContext,
  fakeContext,
} from '../../../test/support/pipeline/fake-compile-context.ts'
import { rejections } from '../../http/rejections.ts'
import { makePathLists } from './enforce-path-lists.ts'

function runStage(
  paths: Record<string, unknown>,
  request: FakeRequest & { loopLevel?: number },
  options?: FakeOptions,
) {
  const compileContext = fakeCompileContext({}, {}, paths, options)
  const context = fakeContext(compileContext, request)
  context.loopLevel = request.loopLevel ?? 0
  return { outcome: makePathLists(compileContext)?.run(context), ignored: context.ignored }
}
const forbidden = { outcome: rejections.pathForbidden, ignored: false }
const passes = { outcome: undefined, ignored: false }

describe('path lists', () => {
  it('add no stage if a version has none', () => {
    expect(makePathLists(fakeCompileContext({}))).toBeNull()
  })

  it('reject paths and methods that are not on the allow list', () => {
    const paths = { white_list: [{ path: '/open' }, { path: '/post', method: 'POST' }] }
    expect(runStage(paths, { url: '/other' })).toEqual(forbidden)
    expect(runStage(paths, { url: '/open' })).toEqual(passes)
    expect(runStage(paths, { url: '/post', method: 'POST' })).toEqual(passes)
    expect(runStage(paths, { url: '/post' })).toEqual(forbidden)
  })

  it('accept every request if all entries of the allow list are disabled', () => {
    expect(runStage({ white_list: [{ path: '/open', disabled: true }] }, { url: '/other' })).toEqual(passes)
  })

  it('reject a match of the block list anywhere in the path, including the listen path', () => {
    const paths = { black_list: [{ path: '/no' }, { path: '/a/full' }] }
    for (const url of ['/no', '/deep/no/where', '/nowhere', '/full/x'])
      expect(runStage(paths, { url })).toEqual(forbidden)
    expect(runStage(paths, { url: '/yes' })).toEqual(passes)
  })

  it('reject a blocked path that is percent-encoded', () => {
    const paths = { black_list: [{ path: '/admin/keys' }] }
    for (const url of ['/%61dmin/keys', '/admin%2Fkeys', '/admin/%6beys/%zz', '/%61dmin/keys/%ff']) {
      expect(runStage(paths, { url })).toEqual(forbidden)
    }
  })

  it('reject a blocked path with a line feed at a dot of the pattern', () => {
    expect(runStage({ black_list: [{ path: '/orders/.*/raw' }] }, { url: '/orders/1%0a/raw' })).toEqual(forbidden)
  })

  it('are case-sensitive unless the entry, the version or the gateway ignores case', () => {
    const paths = { black_list: [{ path: '/no' }, { path: '/shout', ignore_case: true }] }
    expect(runStage(paths, { url: '/NO' })).toEqual(passes)
    expect(runStage(paths, { url: '/SHOUT' })).toEqual(forbidden)
    expect(runStage(paths, { url: '/NO' }, { routing: { ignoreEndpointCase: true } })).toEqual(forbidden)
    const compileContext = fakeCompileContext({}, { ignore_endpoint_case: true }, paths)
    expect(makePathLists(compileContext)?.run(fakeContext(compileContext, { url: '/NO' }))).toBe(
      rejections.pathForbidden,
    )
  })

  it('require no key on ignored paths; ignore lists outrank block lists, which outrank allow lists', () => {
    const x = [{ path: '/x' }]
    expect(runStage({ ignored: x, black_list: x, white_list: x }, { url: '/x' })).toEqual({ ...passes, ignored: true })
    expect(runStage({ black_list: x, white_list: x }, { url: '/x' })).toEqual(forbidden)
    expect(runStage({ ignored: [{ path: '/x', method: 'GET' }] }, { url: '/x', method: 'POST' })).toEqual(passes)
  })

  it('respond with a mock before all other stages, for its method only', () => {
    const mock = { path: '/m', method: 'GET', code: 202, body: '{"a":1}', headers: { 'X-Mocked': '1' } }
    const paths = { mock_response: [mock], black_list: [{ path: '/m' }] }
    expect(runStage(paths, { url: '/m' }).outcome).toEqual({
      status: 202,
      headers: ['x-mocked', '1', 'content-type', 'text/plain; charset=utf-8'],
      body: '{"a":1}',
    })
    expect(runStage(paths, { url: '/m', method: 'POST' })).toEqual(forbidden)
  })

  it('respond with the reply of a method action, and follow the list without an action', () => {
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
    expect(runStage(paths, { url: '/old' }).outcome).toMatchObject({ status: 418, body: 'teapot' })
    expect(runStage(paths, { url: '/old', method: 'PUT' })).toEqual({ ...passes, ignored: true })
    expect(runStage(paths, { url: '/old', method: 'DELETE' })).toEqual(passes)
  })

  it('restrict internal paths to looped requests, regardless of other lists', () => {
    const inner = [{ path: '/inner', method: 'GET' }]
    const paths = { internal: inner, ignored: inner, white_list: [{ path: '/open' }] }
    expect(runStage(paths, { url: '/inner' })).toEqual(forbidden)
    expect(runStage(paths, { url: '/inner', loopLevel: 1 })).toEqual({ ...passes, ignored: true })
    expect(runStage({ internal: inner, white_list: [{ path: '/open' }] }, { url: '/inner', loopLevel: 1 })).toEqual(
      passes,
    )
  })

  it('do not apply to a CORS preflight', () => {
    const compileContext = fakeCompileContext({ CORS: { enable: true } }, {}, { black_list: [{ path: '/no' }] })
    const preflight = { url: '/no', method: 'OPTIONS', headers: { 'access-control-request-method': 'GET' } }
    expect(makePathLists(compileContext)?.run(fakeContext(compileContext, preflight))).toBeUndefined()
    expect(makePathLists(compileContext)?.run(fakeContext(compileContext, { url: '/no', method: 'OPTIONS' }))).toBe(
      rejections.pathForbidden,
    )
  })
})
