/**
 * The part of the store suite about cached responses. They may be lost at any time, but an invalidated one never
 * returns.
 */
import type { StoredResponse } from '@turnpike/core/ports'
import { expect } from 'vitest'
import { freshName, type StoreCases } from './store-case.ts'

export const responseCases: StoreCases = {
  'returns a response for its lifetime': async ({ store: { responses }, pass }) => {
    const api = freshName('api')
    expect(await responses.get(api, 'GET-/x\n@a')).toBeUndefined()
    await responses.put(api, 'GET-/x\n@a', response('one'), 2000, await responses.version(api))
    expect(await responses.get(api, 'GET-/x\n@a')).toEqual(response('one'))
    await pass(2100)
    expect(await responses.get(api, 'GET-/x\n@a')).toBeUndefined()
  },
  'replaces a response, and separates names and APIs': async ({ store: { responses } }) => {
    const api = freshName('api')
    const version = await responses.version(api)
    await responses.put(api, 'GET-/x\n@a', response('one'), 60_000, version)
    await responses.put(api, 'GET-/x\n@a', response('two'), 60_000, version)
    await responses.put(api, 'GET-/x\n@b', response('other'), 60_000, version)
    expect(await responses.get(api, 'GET-/x\n@a')).toEqual(response('two'))
    expect(await responses.get(api, 'GET-/x\n@b')).toEqual(response('other'))
    expect(await responses.get(`${api}1`, 'GET-/x\n@a')).toBeUndefined()
  },
  'keeps the facts of RFC 9111, variants and parts': async ({ store: { responses } }) => {
    const api = freshName('api')
    const part = { ...response('part'), status: 206, origin, part: { first: 3, total: 9 } }
    const list: StoredResponse = { ...response('one'), origin, next: part }
    await responses.put(api, 'GET-/x\n@*', list, 60_000, await responses.version(api))
    expect(await responses.get(api, 'GET-/x\n@*')).toEqual(list)
  },
  'does not store a response without a lifetime': async ({ store: { responses } }) => {
    const api = freshName('api')
    await responses.put(api, 'GET-/x\n@a', response('one'), 0, await responses.version(api))
    expect(await responses.get(api, 'GET-/x\n@a')).toBeUndefined()
  },
  'removes one response and discards a pending put for it': async ({ store: { responses } }) => {
    const api = freshName('api')
    const before = await responses.version(api)
    await responses.put(api, 'GET-/x\n@a', response('one'), 60_000, before)
    await responses.put(api, 'GET-/y\n@a', response('two'), 60_000, before)
    await responses.remove(api, 'GET-/x\n@a')
    await responses.put(api, 'GET-/x\n@a', response('late'), 60_000, before)
    expect(await responses.get(api, 'GET-/x\n@a')).toBeUndefined()
    expect(await responses.get(api, 'GET-/y\n@a')).toEqual(response('two'))
    await responses.put(api, 'GET-/x\n@a', response('new'), 60_000, await responses.version(api))
    expect(await responses.get(api, 'GET-/x\n@a')).toEqual(response('new'))
  },
  'invalidation removes the responses of exactly one API and discards pending puts for it': async ({
    store: { responses },
  }) => {
    const api = freshName('api')
    const longer = `${api}1`
    const [before, beforeLonger] = [await responses.version(api), await responses.version(longer)]
    await responses.put(api, 'GET-/x\n@a', response('one'), 60_000, before)
    await responses.put(longer, 'GET-/x\n@a', response('two'), 60_000, beforeLonger)
    await responses.invalidate(api)
    expect(await responses.get(api, 'GET-/x\n@a')).toBeUndefined()
    expect(await responses.get(longer, 'GET-/x\n@a')).toEqual(response('two'))
    await responses.put(api, 'GET-/x\n@a', response('late'), 60_000, before)
    expect(await responses.get(api, 'GET-/x\n@a')).toBeUndefined()
    await responses.put(api, 'GET-/x\n@a', response('new'), 60_000, await responses.version(api))
    expect(await responses.get(api, 'GET-/x\n@a')).toEqual(response('new'))
  },
  'accepts the invalidation of an unknown API': async ({ store }) => {
    await store.responses.invalidate(freshName('unknown'))
  },
}

const origin = {
  receivedAt: 1000,
  initialAgeMs: 5,
  freshMs: 60_000,
  alwaysAsk: false,
  neverStale: true,
  staleWhileMs: 1,
  staleOnErrorMs: 2,
  selectedBy: ['accept', 'a'],
  lastModified: 'Thu, 01 Jan 1970 00:00:00 GMT',
}

function response(text: string): StoredResponse {
  const body = new TextEncoder().encode(text)
  return { status: 200, headers: ['content-type', 'text/plain'], body, bodyLength: undefined, etag: undefined }
}
