/** Request bodies whose memory is lent to the reader. */
import type { ByteStream } from '@turnpike/core/http'
import { rawExchange } from '@turnpike/testkit/suites/http-wire/raw-exchange'
import { readResponses } from '@turnpike/testkit/suites/http-wire/wire-responses'
import { afterEach, expect, it } from 'vitest'
import { readsIntoMemory } from './accepted-reads.ts'
import { makeHttp1FrontEnd } from './front-end-http1.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** Reads a body and keeps each chunk for a while. Returns the number of lent chunks, and whether one has changed. */
function keepChunks(body: ByteStream): Promise<string> {
  let lent = 0
  let changed = false
  return new Promise((resolve, reject) => {
    body.pipe({
      data: () => true,
      lend(chunk) {
        lent++
        const before = Buffer.from(chunk)
        setTimeout(() => {
          if (!before.equals(chunk)) changed = true
          body.resume()
        }, 5)
        return false
      },
      end: () => resolve(`${lent > 0} ${changed}`),
      fail: reject,
    })
  })
}

it('works with this version of Node', async () => {
  expect(await readsIntoMemory()).toBe(true)
})

it('lends memory that does not change while the reader has it, and serves the requests that follow', async () => {
  const { port, close } = await makeHttp1FrontEnd().listen(
    async ({ path, body }) => ({ status: 200, headers: [], body: body === undefined ? path : await keepChunks(body) }),
    { host: '127.0.0.1', port: 0 },
  )
  closers.push(() => close(0))
  // The last read of the first request ends while its chunk is lent, with the start of the second request behind it.
  const post = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n${'x'.repeat(999_999)}y`
  const requests = `${post}GET /second HTTP/1.1\r\nHost: a\r\n\r\n${post}`
  const bodies = (text: string) => readResponses(text).map(({ body }) => body)
  const { text } = await rawExchange(port, requests, { until: (so) => bodies(so).length === 3 })
  expect(bodies(text)).toEqual(['true false', '/second', 'true false'])
})
