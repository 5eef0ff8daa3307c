import { describe, expect, it } from 'vitest'
import { definitionOf, makeTestEngine } from '../../test/support/test-engine.ts'
import { headerOf } from '../http/headers.ts'
import { headerLists } from './scripts/script-arguments.ts'
import { headerPairs } from './scripts/script-results.ts'

/** Inside the gateway each character of a header value is one byte. */
const bytesOf = (text: string) => Buffer.from(text, 'utf8').toString('latin1')

describe('header values that the gateway writes', () => {
  it.each(['é', 'é€', '日本'])('are UTF-8: %s', async (text) => {
    const version = {
      name: 'Default',
      use_extended_paths: true,
      global_headers: {
        'X-Own': text,
        'X-Copy': '$svc_context.headers_X_In',
        'X-Field': '$svc_context.request_data_q',
      },
      global_response_headers: { 'X-Own': text },
      extended_paths: {
        mock_response: [{ path: '/mock', method: 'GET', code: 200, body: '', headers: { 'X-Own': text } }],
      },
    }
    const { send, upstreamRequests } = await makeTestEngine({
      definitions: [
        definitionOf('a', {
          enable_context_vars: true,
          version_data: { not_versioned: true, versions: { Default: version } },
          response_processors: [{ name: 'header_injector', options: {} }],
        }),
        definitionOf('b', { name: text, use_keyless: false, use_basic_auth: true }),
      ],
    })
    const bytes = bytesOf(text)
    const response = await send('GET', `/a/x?q=${encodeURIComponent(text)}`, { 'x-in': bytes })
    const sent = upstreamRequests[0]?.headers ?? []
    expect(['x-own', 'x-copy', 'x-field', 'x-in'].map((name) => headerOf(sent, name))).toEqual(Array(4).fill(bytes))
    expect(headerOf(response.headers, 'x-own')).toBe(bytes)
    expect(headerOf((await send('GET', '/a/mock')).headers, 'x-own')).toBe(bytes)
    expect(headerOf((await send('GET', '/b/')).headers, 'www-authenticate')).toBe(`Basic realm="${bytes}"`)
  })

  it('come from scripts as text, and reach scripts as text', () => {
    expect(headerPairs({ 'X-A': 'é€' })).toEqual(['x-a', bytesOf('é€')])
    expect(headerPairs({ 'X-A': 'é\n' })).toBeUndefined()
    expect({ ...headerLists(['x-a', bytesOf('é€'), 'x-b', '\xe9']) }).toEqual({ 'X-A': ['é€'], 'X-B': ['é'] })
  })
})
