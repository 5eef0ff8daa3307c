import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGateway, defineApi, type Gateway } from '../src/index.ts'

let gateway: Gateway
let url: string
const upstream = createServer((_, response) => {
  response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style', 'x-internal': 'secret' })
  response.writeHead(200, { 'cache-control': 'max-age=60' }).end('page')
})

beforeAll(async () => {
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  const target = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/`
  gateway = await createGateway({
    log: 'silent',
    config: { storage: { type: 'memory' } },
    definitions: [
      defineApi({
        id: 'site',
        listenPath: '/site/',
        target,
        open: true,
        more: { cache_mode: 'rfc9111', cache_options: { enable_cache: true } },
      }),
    ],
  })
  url = (await gateway.listen(0, '127.0.0.1')).url
})
afterAll(async () => {
  await gateway.close(0)
  upstream.close()
})

/** The status and headers of each response to GET, and the body of the last one. */
function responsesTo(path: string): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const seen: unknown[] = []
    const request = httpRequest(`${url}${path}`)
    request.on('information', ({ statusCode, rawHeaders }) => seen.push([statusCode, ...rawHeaders]))
    request.on('response', async (response) => {
      seen.push(response.statusCode, Buffer.concat(await response.toArray()).toString())
      resolve(seen)
    })
    request.on('error', reject)
    request.end()
  })
}

it('early hints of the upstream reach the client with their links only, and are not cached', async () => {
  expect(await responsesTo('/site/a')).toEqual([[103, 'link', '</style.css>; rel=preload; as=style'], 200, 'page'])
  expect(await responsesTo('/site/a')).toEqual([200, 'page'])
})
