import { describe, expect, it } from 'vitest'
import {
  type FakeRequest,
  fakeCompileContext,
  fakeContext,
} from '../../../test/support/pipeline/fake-compile-context.ts'
import { rejections } from '../../http/rejections.ts'
import type { StageServices } from '../contract/stage-services.ts'
import { makeUrlRewrite } from './url-rewrite.ts'

type Json = Record<string, unknown>

async function rewrite(rule: Json, request: FakeRequest, api: Json = {}, services: Partial<StageServices> = {}) {
  const compileContext = fakeCompileContext(
    api,
    {},
    { url_rewrites: [{ path: '/', method: 'GET', ...rule }] },
    { services },
  )
  const context = fakeContext(compileContext, request)
  const outcome = await makeUrlRewrite(compileContext)?.run(context)
  const { path, query, target } = context.outgoing
  return { outcome, url: query === '' ? path : `${path}?${query}`, target, loop: context.loop, context }
}

describe('a rewrite', () => {
  it('inserts groups of the match into its target and strips the listen path', async () => {
    const rule = { match_pattern: '/user/(\\w+)/(\\w+)', rewrite_to: '/a/people/$1?field=$2' }
    expect((await rewrite(rule, { url: '/user/42/name' })).url).toBe('/people/42?field=name')
    expect((await rewrite(rule, { url: '/user/42' })).url).toBe('/user/42')
  })

  it('keeps the listen path if the API does', async () => {
    const proxy = { listen_path: '/a/', target_url: 'http://up.test', strip_listen_path: false }
    expect((await rewrite({ match_pattern: '.*', rewrite_to: '/a/b' }, {}, { proxy })).url).toBe('/a/b')
  })

  it('matches the query and the listen path', async () => {
    const rule = { match_pattern: '^/a/search\\?term=(\\w+)', rewrite_to: '/a/find/$1' }
    expect((await rewrite(rule, { url: '/search?term=cats' })).url).toBe('/find/cats')
  })

  it('does not replace a number without a group', async () => {
    const rule = { match_pattern: '/(x)', rewrite_to: '/a/$1/$2/$10' }
    expect((await rewrite(rule, { url: '/x' })).url).toBe('/x/$2/$10')
  })

  it('tries the decoded path if the encoded one does not match, and encodes the groups again', async () => {
    const rule = { match_pattern: '(?s)/say/(.* .*)', rewrite_to: '/a/said/$1' }
    expect((await rewrite(rule, { url: '/say/good%20day%0d%0aX:%201' })).url).toBe('/said/good%20day%0D%0AX:%201')
  })

  it('to a URL sends the request there', async () => {
    const rule = { match_pattern: '.*', rewrite_to: 'http://other.test:81/place?x=1' }
    expect(await rewrite(rule, {})).toMatchObject({ target: 'http://other.test:81', url: '/place?x=1' })
    expect((await rewrite({ match_pattern: '.*', rewrite_to: 'http://other.test' }, {})).url).toBe('/')
  })

  it('escapes variables in its target, except URLs', async () => {
    const rule = { match_pattern: '.*', rewrite_to: '/a/$svc_context.request_data_q' }
    const api = { enable_context_vars: true }
    expect((await rewrite(rule, { url: '/x?q=a%2Fb%20c' }, api)).url).toBe('/a%2Fb%20c')
    expect((await rewrite(rule, { url: '/x?q=http:%2F%2Fevil%2Fy' }, api)).url).toBe('/http%3A%2F%2Fevil%2Fy')
    const inQuery = { match_pattern: '.*', rewrite_to: '/a/x?u=$svc_context.request_data_q' }
    expect((await rewrite(inQuery, { url: '/x?q=http:%2F%2Fa%26admin%3D1' }, api)).url).toBe(
      '/x?u=http%3A%2F%2Fa%26admin%3D1',
    )
    const whole = { match_pattern: '.*', rewrite_to: '$svc_context.request_data_q' }
    const sent = await rewrite(whole, { url: '/x?q=http:%2F%2Fother.test%2Fy' }, api)
    expect([sent.target, sent.url]).toEqual(['http://other.test', '/y'])
  })

  it('keeps the escapes of a group that it finds in the decoded URL', async () => {
    const rule = { match_pattern: '/say/(.* .*)', rewrite_to: '/a/said/$1' }
    expect((await rewrite(rule, { url: '/say/a%2fb%20c%3Fd%26e' })).url).toBe('/said/a%2Fb%20c%3Fd%26e')
  })

  it.each(['/x?f=../../admin', '/x?f=..%2f..%2fadmin', '/x?f=..'])('adds no dot segments: %s', async (url) => {
    const rule = { match_pattern: 'f=(.*)', rewrite_to: '/a/files/$1' }
    expect((await rewrite(rule, { url })).outcome).toBe(rejections.pathAmbiguous)
    const byName = { match_pattern: '.*', rewrite_to: '/a/files/$svc_context.request_data_f/x' }
    const outcome = (await rewrite(byName, { url }, { enable_context_vars: true })).outcome
    expect(outcome).toBe(rejections.pathAmbiguous)
  })

  it('does not replace variables in the text of the client', async () => {
    const rule = { match_pattern: '/x/(.*)', rewrite_to: '/a/y/$1' }
    const secret = () => 'hidden'
    const { url } = await rewrite(rule, { url: '/x/$secret_conf.key' }, {}, { secret })
    expect(url).toBe('/y/$secret_conf.key')
    const own = { match_pattern: '/x', rewrite_to: '/a/$secret_conf.key' }
    expect((await rewrite(own, {}, {}, { secret })).url).toBe('/hidden')
  })

  it('into the gateway obeys no control that the client sends', async () => {
    const loops: StageServices['loops'] = { knows: () => true, follow: () => undefined }
    const rule = { match_pattern: '/x\\?(.*)', rewrite_to: 'svc://self/y?loop_limit=3&$1' }
    const url = '/x?method=DELETE&check_limits=true&loop_limit=99&a=1'
    const { loop } = await rewrite(rule, { url }, {}, { loops })
    expect(loop).toMatchObject({ method: '', limit: 3, checkLimits: false, query: 'a=1' })
    const named = { match_pattern: '/x\\?method=(.*)', rewrite_to: 'svc://self/y?method=$1' }
    expect((await rewrite(named, { url: '/x?method=DELETE' }, {}, { loops })).loop).toMatchObject({ method: '' })
  })

  it('to an API of the gateway is rejected if it is not served', async () => {
    const rule = { match_pattern: '.*', rewrite_to: 'svc://other/inner?method=PUT&x=1&loop_limit=2&check_limits=true' }
    expect((await rewrite(rule, {})).outcome).toBe(rejections.loopTarget)
    const loops: StageServices['loops'] = {
      knows: (api) => api === 'other',
      follow: () => ({ status: 200, headers: [], body: '' }),
    }
    expect((await rewrite(rule, {}, {}, { loops })).loop).toEqual({
      api: 'other',
      path: '/inner',
      query: 'x=1',
      method: 'PUT',
      limit: 2,
      checkLimits: true,
    })
  })

  it('with an invalid pattern rejects the requests of its path', async () => {
    const { outcome } = await rewrite({ match_pattern: '(', rewrite_to: '/a/x' }, {})
    expect(outcome).toMatchObject({ code: 'rule-broken', status: 500, message: 'URLRewrite regexp error (' })
    const options = { header_matches: { a: { match_rx: '[' } } }
    const trigger = { match_pattern: '.*', rewrite_to: '/a/x', triggers: [{ on: 'any', options, rewrite_to: '/a/y' }] }
    expect((await rewrite(trigger, {})).outcome).toMatchObject({ message: 'URLRewrite regexp error [' })
  })

  it('keeps percent signs of the query that begin no escape', async () => {
    const rule = { match_pattern: '/x(.*)', rewrite_to: '/a/y$1' }
    expect((await rewrite(rule, { url: '/x?q=100%' })).url).toBe('/y?q=100%')
  })
})

describe('triggers of a rewrite', () => {
  const base = { match_pattern: '.*', rewrite_to: '/a/plain' }
  const on = (kind: string, options: Json, to = '/a/fired') => ({
    ...base,
    triggers: [{ on: kind, options, rewrite_to: to }],
  })

  it('on a header select another target', async () => {
    const rule = on('any', { header_matches: { 'X-Kind': { match_rx: '^beta$' } } })
    expect((await rewrite(rule, { headers: { 'x-kind': 'beta' } })).url).toBe('/fired')
    expect((await rewrite(rule, {})).url).toBe('/plain')
  })

  it('on a query value provide the match and its groups', async () => {
    const target = '/a/$svc_context.trigger-0-lang-0/$svc_context.trigger-0-lang-0-0/$svc_context.trigger-0-lang-0-1'
    const rule = on('any', { query_val_matches: { lang: { match_rx: '([a-z]+)-([A-Z]+)' } } }, target)
    expect((await rewrite(rule, { url: '/x?lang=en-GB' }, { enable_context_vars: true })).url).toBe('/en-GB/en/GB')
  })

  it('with `all` require all conditions', async () => {
    const rule = on('all', {
      header_matches: { 'X-Two': { match_rx: '2' } },
      query_val_matches: { x: { match_rx: '1' } },
    })
    expect((await rewrite(rule, { url: '/x?x=1' })).url).toBe('/plain')
    expect((await rewrite(rule, { url: '/x?x=1', headers: { 'X-Two': '2' } })).url).toBe('/fired')
  })

  it('with `all` and without conditions match, with `any` they do not', async () => {
    expect((await rewrite(on('all', {}), {})).url).toBe('/fired')
    expect((await rewrite(on('any', {}), {})).url).toBe('/plain')
  })

  it('can be reversed, so that they fire if nothing matches', async () => {
    const rule = on('any', { header_matches: { 'X-Kind': { match_rx: 'beta', reverse: true } } })
    expect((await rewrite(rule, {})).url).toBe('/fired')
    expect((await rewrite(rule, { headers: { 'X-Kind': 'beta' } })).url).toBe('/plain')
  })

  it('match parts of the path and the body', async () => {
    expect((await rewrite(on('any', { path_part_matches: { id: { match_rx: '^\\d+$' } } }), { url: '/x/7' })).url).toBe(
      '/fired',
    )
    const post = { ...on('any', { payload_matches: { match_rx: 'hello' } }), method: 'POST' }
    expect((await rewrite(post, { method: 'POST', body: 'hello world' })).url).toBe('/fired')
    expect((await rewrite(post, { method: 'POST', body: 'bye' })).url).toBe('/plain')
  })

  it('are checked in order, and change nothing if none fires and there is no other target', async () => {
    const rule = {
      match_pattern: '.*',
      rewrite_to: '',
      triggers: [
        { on: 'any', options: { query_val_matches: { x: { match_rx: '1' } } }, rewrite_to: '/a/first' },
        { on: 'any', options: { query_val_matches: { x: { match_rx: '.' } } }, rewrite_to: '/a/second' },
      ],
    }
    expect((await rewrite(rule, { url: '/x?x=1' })).url).toBe('/first')
    expect((await rewrite(rule, { url: '/x?x=2' })).url).toBe('/second')
    expect((await rewrite(rule, { url: '/x?y=2' })).url).toBe('/x?y=2')
  })
})
