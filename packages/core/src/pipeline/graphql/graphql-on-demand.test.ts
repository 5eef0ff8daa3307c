/** The `graphql` package is loaded by the first definition that needs it. Each case starts without loaded modules. */
import { afterEach, expect, it, vi } from 'vitest'
import { collectResponse } from '../../engine/inject.ts'
import { streamOf } from '../../http/byte-stream.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'

const schema = 'type Query { port: String }'
const graphql = { enabled: true, execution_mode: 'proxyOnly', version: '2', schema }
const loaded = vi.fn()

afterEach(() => {
  vi.doUnmock('../../lib/graphql/graphql-tools.ts')
  vi.resetModules()
  loaded.mockClear()
})

async function makeEngine(definitions: (definitionOf: (id: string, more?: object) => object) => object[]) {
  vi.resetModules()
  vi.doMock('../../lib/graphql/graphql-tools.ts', async (original) => {
    loaded()
    return original()
  })
  const { definitionOf, makeTestEngine, requestOf } = await import('../../../test/support/test-engine.ts')
  const made = await makeTestEngine({ definitions: definitions(definitionOf) as never })
  const query = utf8Bytes('{"query":"{ __typename }"}')
  const ask = async (path: string) => {
    const request = requestOf('POST', path, { 'content-type': 'application/json' })
    const sent = { ...request, body: streamOf(query), bodyLength: query.length }
    const { status, text } = await collectResponse(await made.engine.handle(sent))
    return `${status} ${text()}`
  }
  return { ...made, ask, definitionOf }
}

const response = '200 {"data":{"__typename":"Query"}}'

it('is not loaded for other definitions, and by a reload that adds a GraphQL definition', async () => {
  const { engine, files, ask, definitionOf } = await makeEngine((of) => [of('plain')])
  await engine.reload()
  expect(loaded).not.toHaveBeenCalled()
  files.definitions.set('g.json', JSON.stringify(definitionOf('g', { graphql })))
  await engine.reload()
  expect(loaded).toHaveBeenCalledTimes(1)
  expect(await ask('/g/')).toBe(response)
})

it('is loaded at the start if a definition needs it', async () => {
  const { ask } = await makeEngine((of) => [of('plain'), of('g', { graphql })])
  expect(loaded).toHaveBeenCalledTimes(1)
  expect(await ask('/g/')).toBe(response)
})

it('is loaded for a definition that is only replayed', async () => {
  const { engine, definitionOf } = await makeEngine((of) => [of('plain')])
  const { makeInjectedRequest } = await import('../../engine/inject.ts')
  const listener = { log() {}, started() {}, finished() {} }
  const request = (listenPath: string) =>
    makeInjectedRequest({ url: listenPath, method: 'POST', body: '{"query":"{port}"}' })
  const text = JSON.stringify(definitionOf('draft', { graphql }))
  expect((await engine.debugRequest({ text }, request, listener, () => 0)).problem).toBeUndefined()
  expect(loaded).toHaveBeenCalledTimes(1)
})
