import { gzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { fakeCompileContext, fakeContext } from '../../../test/support/pipeline/fake-compile-context.ts'
import { type ByteStream, streamOf } from '../../http/byte-stream.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { encodeBase64 } from '../../lib/text/base64.ts'
import { utf8Bytes, utf8Text } from '../../lib/text/utf8.ts'
import { makeResponseBody } from './response-body.ts'

const template_data = { template_mode: 'blob', input_type: 'json', template_source: encodeBase64(utf8Bytes('{{.n}}')) }
const clock = { now: () => 0, after: () => () => {}, breathe: () => Promise.resolve() }

async function transform(body: Uint8Array | ByteStream, headers: string[] = [], settings: object = {}) {
  const api = { response_processors: [{ name: 'response_body_transform', options: {} }] }
  const paths = { transform_response: [{ path: '/', method: 'GET', template_data }] }
  const compileContext = fakeCompileContext(api, {}, paths, {
    settings: { maxResponseBytes: 8, ...settings },
    services: { clock },
  })
  const given: GatewayResponse = { status: 200, headers, body }
  const response = (await makeResponseBody(compileContext)?.run(fakeContext(compileContext, {}), given)) ?? given
  if ('kind' in response) return { status: response.status, text: response.message }
  const { status } = response
  return { status, text: response.body instanceof Uint8Array ? utf8Text(response.body) : String(response.body) }
}

const short = utf8Bytes('{"n": 1}')
const long = utf8Bytes('{"n": 12}')
const tooLarge = 'Response body too large'

describe('max_response_body_size', () => {
  it('accepts a body of exactly this length', async () => {
    expect(await transform(short)).toEqual({ status: 200, text: '1' })
    expect(await transform(streamOf(short))).toEqual({ status: 200, text: '1' })
  })

  it('rejects a longer one, complete or streaming', async () => {
    expect(await transform(long)).toEqual({ status: 500, text: tooLarge })
    expect(await transform(streamOf(long))).toEqual({ status: 500, text: tooLarge })
  })

  it('counts the decompressed length of a body', async () => {
    const settings = { maxResponseBytes: 100 }
    const packed = gzipSync(utf8Bytes(`{"n": "${'x'.repeat(100)}"}`))
    expect(packed.length).toBeLessThan(100)
    expect(await transform(packed, ['content-encoding', 'gzip'], settings)).toEqual({ status: 500, text: tooLarge })
  })

  it('does not apply to requests', async () => {
    expect(await transform(streamOf(long), [], { maxResponseBytes: 0, maxBodyBytes: 2 })).toEqual({
      status: 200,
      text: '12',
    })
  })
})

describe('max_read_response_size', () => {
  const withText = (length: number) => utf8Bytes(`{"n": "${'x'.repeat(length)}"}`)

  it('is 1 MiB if it is not set', async () => {
    const settings = { maxResponseBytes: 0 }
    expect((await transform(withText(1024 * 1024 - 9), [], settings)).status).toBe(200)
    expect(await transform(withText(1024 * 1024), [], settings)).toEqual({ status: 500, text: tooLarge })
    expect(await transform(streamOf(withText(1024 * 1024)), [], settings)).toEqual({ status: 500, text: tooLarge })
  })

  it('counts together with max_response_body_size', async () => {
    const settings = { maxResponseBytes: 20, maxReadResponseBytes: 10 }
    expect((await transform(withText(1), [], settings)).status).toBe(200)
    expect(await transform(withText(3), [], settings)).toEqual({ status: 500, text: tooLarge })
  })
})

describe('a body with too many values', () => {
  const settings = { maxResponseBytes: 0 }

  it.each([
    ['values', `{"n": [${'1,'.repeat(100_000)}1]}`],
    ['levels', `{"n": ${'['.repeat(1_000)}${']'.repeat(1_000)}}`],
  ])('is rejected before it is parsed: %s', async (_, body) => {
    expect(await transform(utf8Bytes(body), [], settings)).toEqual({ status: 500, text: tooLarge })
    const packed = gzipSync(utf8Bytes(body))
    expect(await transform(packed, ['content-encoding', 'gzip'], settings)).toEqual({ status: 500, text: tooLarge })
  })
})
