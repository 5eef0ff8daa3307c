import { describe, expect, it } from 'vitest'
import { definitionOf, makeTestEngine } from '../../test/support/test-engine.ts'
import type { UpstreamResponse } from '../ports/upstream.ts'

describe('a request in progress when a reload swaps the definitions', () => {
  it('finishes with the definition it started with, while new requests use the new one', async () => {
    const waiting: ((response: UpstreamResponse) => void)[] = []
    const upstream = () => new Promise<UpstreamResponse>((resolve) => waiting.push(resolve))
    const withHeader = (value: string) =>
      definitionOf('a', {
        response_processors: [{ name: 'header_injector', options: {} }],
        version_data: {
          not_versioned: true,
          versions: { Default: { name: 'Default', global_response_headers: { 'X-Definition': value } } },
        },
      })
    const test = await makeTestEngine({ definitions: [withHeader('old')], upstream })
    const before = test.send('GET', '/a/x')
    test.files.definitions.set('a.json', JSON.stringify(withHeader('new')))
    await test.engine.reload()
    const after = test.send('GET', '/a/x')
    for (const response of waiting)
      response({ kind: 'response', status: 200, headers: [], body: undefined, bodyLength: 0 })
    expect((await before).headers).toContain('old')
    expect((await after).headers).toContain('new')
  })

  it('finishes although its API is gone', async () => {
    const waiting: ((response: UpstreamResponse) => void)[] = []
    const upstream = () => new Promise<UpstreamResponse>((resolve) => waiting.push(resolve))
    const test = await makeTestEngine({ definitions: [definitionOf('a'), definitionOf('b')], upstream })
    const before = test.send('GET', '/a/x')
    test.files.definitions.delete('a.json')
    await test.engine.reload()
    expect(await test.send('GET', '/a/x')).toMatchObject({ status: 404 })
    waiting[0]?.({ kind: 'response', status: 200, headers: [], body: undefined, bodyLength: 0 })
    expect(await before).toMatchObject({ status: 200 })
  })
})
