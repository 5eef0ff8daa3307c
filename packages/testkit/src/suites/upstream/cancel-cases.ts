/** Cases for cancelled requests. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { ByteStream } from '@turnpike/core/http'
import { describe, expect, test } from 'vitest'
import { until } from '../wait.ts'

import { responseOf, send } from './requests.ts'
import { hello, type UpstreamSetup } from './setup.ts'

export function cancelCases({ wire }: UpstreamSetup): void {
  describe('cancelling', () => {
    test('before the head fails the request at once and closes the connection', async () => {
      const { server, to } = await wire(() => {})
      let cancel = () => {}
      const result = send(to, {
        onStart(give) {
          cancel = give
        },
      })
      await until(() => server.heads.length === 1)
      cancel()
      expect(await result).toMatchObject({ kind: 'error', reason: 'cancelled' })
      await until(() => server.open.size === 0)
    })

    test('before the request is sent sends nothing', async () => {
      const { server, to } = await wire((_, socket) => socket.write(hello))
      expect(await send(to, { onStart: (cancel) => cancel() })).toMatchObject({ reason: 'cancelled' })
      await sleep(50)
      expect(server.heads).toEqual([])
    })

    test('in the middle of a body stops all calls to the sink and closes the connection', async () => {
      const { server, to } = await wire((_, socket) => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n')
        const timer = setInterval(() => socket.write('1\r\na\r\n'), 10)
        socket.on('close', () => clearInterval(timer))
      })
      const body = (await responseOf(to)).body as ByteStream
      let calls = 0
      const count = () => ++calls > 0
      body.pipe({ data: count, end: count, fail: count })
      await until(() => calls > 2)
      body.cancel()
      const seen = calls
      await until(() => server.open.size === 0)
      expect(calls).toBe(seen)
    })
  })
}
