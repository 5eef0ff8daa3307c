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
  const answer = (await makeResponseBody(compileContext)?.run(fakeContext(compileContext, {}), given)) ?? given
  if ('kind' in answer) return { status: answer.status, text: answer.message }
  const { status } = answer
  return { status, text: answer.body instanceof Uint8Array ? utf8Text(answer.body) : String(answer.body) }
}

const short = utf8Bytes('{"n": 1}')
const long = utf8Bytes('{"n": 12}')
const tooLarge = 'Response body too large'

describe('max_response_body_size', () => {
  it('lets a body of that length through the template', async () => {
    expect(await transform(short)).toEqual({ status: 200, text: '1' })
    expect(await transform(streamOf(short))).toEqual({ status: 200, text: '1' })
  })

  it('refuses a longer one, whole or in pieces', async () => {
    expect(await transform(long)).toEqual({ status: 500, text: tooLarge })
    expect(await transform(streamOf(long))).toEqual({ status: 500, text: tooLarge })
  })

  it('counts a packed body unpacked', async () => {
    const settings = { maxResponseBytes: 100 }
    const packed = gzipSync(utf8Bytes(`{"n": "${'x'.repeat(100)}"}`))
    expect(packed.length).toBeLessThan(100)
    expect(await transform(packed, ['content-encoding', 'gzip'], settings)).toEqual({ status: 500, text: tooLarge })
  })

  it('is not the limit on requests', async () => {
    expect(await transform(streamOf(long), [], { maxResponseBytes: 0, maxBodyBytes: 2 })).toEqual({
      status: 200,
      text: '12',
    })
  })
})
