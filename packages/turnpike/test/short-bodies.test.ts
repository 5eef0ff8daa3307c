/** A request body that has arrived with its head reaches the upstream in one write, together with the head. */
import { type AddressInfo, createServer } from 'node:net'
import { rawExchange } from '@turnpike/testkit/suites/http-wire/raw-exchange'
import { hasResponse, readResponses } from '@turnpike/testkit/suites/http-wire/wire-responses'
import { createGateway, defineApi } from 'turnpike'
import { expect, onTestFinished, test } from 'vitest'

const lines = 'POST /open/x HTTP/1.1\r\nHost: a\r\n'

test.for([
  ['with a length', `${lines}Content-Length: 3\r\n\r\nabc`, /content-length: 3\r\n\r\nabc$/i],
  [
    'chunked',
    `${lines}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
    /transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n$/i,
  ],
] as const)('a short body %s reaches the upstream as it came', async ([_name, bytes, expected]) => {
  const packets: string[] = []
  const upstream = createServer((socket) => {
    socket.on('data', (packet) => {
      packets.push(packet.toString('latin1'))
      if (/abc(\r\n0\r\n\r\n)?$/.test(packets.join(''))) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    })
  })
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  const target = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/`
  const open = defineApi({ id: 'open', target, open: true })
  const gateway = await createGateway({ log: 'silent', store: 'memory', definitions: [open] })
  onTestFinished(async () => {
    await gateway.close(0)
    upstream.close()
  })
  const { port } = await gateway.listen(0, '127.0.0.1')
  const { text } = await rawExchange(port, bytes, { until: hasResponse })
  expect(readResponses(text)[0]).toMatchObject({ status: 200, body: 'ok' })
  expect(packets).toHaveLength(1)
  expect(packets.join('')).toMatch(expected)
})
