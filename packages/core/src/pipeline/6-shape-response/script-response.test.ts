import { describe, expect, it } from 'vitest'
import { type FakeScript, fakeScripts, noScriptFiles, scriptsOn } from '../../../test/support/fake-scripts.ts'
import { definitionOf, makeTestEngine } from '../../../test/support/test-engine.ts'
import { collectResponse } from '../../engine/inject.ts'
import { type ByteStream, streamOf } from '../../http/byte-stream.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import type { Log } from '../../ports/log.ts'
import type { UpstreamResponse } from '../../ports/upstream.ts'

const script: FakeScript = ([response]) => ({
  Response: { ...response, SetHeaders: { 'X-Script': '1' } },
  SessionMeta: {},
})

/** Sends a response of the upstream through a response script. */
async function run(response: Partial<UpstreamResponse>) {
  const lines: { message: string; fields: unknown }[] = []
  const keep = (message: string, fields?: unknown) => void lines.push({ message, fields })
  const log: Log = { debug() {}, info() {}, warn: keep, error: keep }
  const runtime = fakeScripts({ change: script })
  const { send } = await makeTestEngine({
    definitions: [
      definitionOf('s', { custom_middleware: { driver: 'otto', response: [{ name: 'change', path: 'change.js' }] } }),
    ],
    settings: { scripts: scriptsOn },
    engine: { scripts: runtime, scriptFiles: noScriptFiles, log },
    upstream: async () => ({
      kind: 'response',
      status: 200,
      headers: [],
      body: undefined,
      bodyLength: undefined,
      ...response,
    }),
  })
  const { status, pairs, text } = await collectResponse(await send('GET', '/s/x'))
  return { status, text: text(), ran: pairs.includes('x-script'), lines, calls: runtime.calls.length }
}

const long = utf8Bytes('x'.repeat(1024 * 1024 + 1))
const broken: ByteStream = {
  pipe(sink) {
    sink.data(utf8Bytes('half'))
    sink.fail(new Error('the connection was closed'))
  },
  pause() {},
  resume() {},
  cancel() {},
}

describe('a response script', () => {
  it.each([
    ['complete', long],
    ['streaming', streamOf(long)],
  ])('does not run on a body over the limit, which is logged with the setting (%s)', async (_, body) => {
    const { status, text, calls, lines } = await run({ body })
    expect([status, calls]).toEqual([500, 0])
    expect(text).toContain('Response body too large')
    expect(lines).toMatchObject([
      {
        message: 'a response script cannot run: the body cannot be read',
        fields: { api: 's', script: 'change', fix: expect.stringContaining('max_read_response_size') },
      },
    ])
  })

  it('does not run on an incomplete body, which is an error of the upstream', async () => {
    const { text, calls, lines } = await run({ body: broken })
    expect(calls).toBe(0)
    expect(text).toContain('There was a problem proxying the request')
    expect(lines).toMatchObject([{ fields: { reason: 'Error: the connection was closed' } }])
  })

  it('runs without the body of a compressed response, which may be of any length', async () => {
    const headers = ['content-encoding', 'gzip']
    const { status, text, ran, lines } = await run({ headers, body: streamOf(long) })
    expect([status, text.length, ran, lines]).toEqual([200, long.length, true, []])
  })
})
