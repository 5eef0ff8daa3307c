import { describe, expect, it } from 'vitest'
import { definitionOf, makeTestEngine, requestOf, type TestEngineOptions } from '../../../test/support/test-engine.ts'
import { streamOf } from '../../http/byte-stream.ts'
import { headerOf } from '../../http/headers.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'

const template_data = { input_type: 'json', template_mode: 'blob', template_source: btoa('[{{.a}}]') }

const withList = (list: string, path = '/x', method = 'GET') => ({
  response_processors: [{ name: 'response_body_transform', options: {} }],
  version_data: {
    not_versioned: true,
    versions: {
      Default: {
        name: 'Default',
        use_extended_paths: true,
        extended_paths: { [list]: [{ path, method, template_data }] },
      },
    },
  },
})

async function acceptedFor(accepted: string, path = '/a/x', options: TestEngineOptions = {}) {
  const definitions = [definitionOf('a', withList('transform_response'))]
  const { send, upstreamRequests } = await makeTestEngine({ definitions, ...options })
  await send('GET', path, accepted === '' ? {} : { 'accept-encoding': accepted })
  return headerOf(upstreamRequests[0]?.headers ?? [], 'accept-encoding')
}

describe('the codings that an upstream is asked for', () => {
  it.each([
    ['zstd', 'identity'],
    ['gzip, zstd', 'gzip'],
    ['gzip;q=0.5, deflate , zstd, *', 'gzip;q=0.5, deflate'],
    ['gzip, deflate', 'gzip, deflate'],
    ['identity', 'identity'],
    ['br', 'identity'],
    ['', 'gzip'],
  ])('are those that the gateway decodes, if a template changes the response: %j', async (accepted, sent) => {
    expect(await acceptedFor(accepted)).toBe(sent)
  })

  it('are those of the client on other paths', async () => {
    expect(await acceptedFor('zstd, *', '/a/y')).toBe('zstd, *')
  })
})

describe('a request body that a template must change', () => {
  it.each([
    ['{"a":1}', '', 200],
    ['{"a":1}', 'identity', 200],
    ['', 'gzip', 200],
    ['{"a":1}', 'gzip', 500],
    ['{"a":1}', 'x-unknown', 500],
    ['{"a":1}{"a":2}', '', 500],
    ['<a/>', '', 500],
  ])('is rejected if it cannot be read: %s with the coding "%s"', async (text, coding, status) => {
    const definitions = [definitionOf('a', withList('transform', '/x', 'POST'))]
    const { engine, upstreamRequests } = await makeTestEngine({ definitions })
    const body = utf8Bytes(text)
    const headers = coding === '' ? {} : { 'content-encoding': coding }
    const request = { ...requestOf('POST', '/a/x', headers), body: streamOf(body), bodyLength: body.length }
    expect((await engine.handle(request)).status).toBe(status)
    expect(upstreamRequests).toHaveLength(status === 200 ? 1 : 0)
  })
})
