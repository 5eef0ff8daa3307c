import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import tls from 'node:tls'
import type { Upstream } from '@turnpike/core/ports'
import { send } from '@turnpike/testkit/suites/upstream-suite'
import { afterEach, expect, it, vi } from 'vitest'
import { expiredCert, expiredKey } from '../../test/expired-local-certificate.ts'
import { cert, key } from '../../test/local-certificate.ts'
import { realClock } from '../../test/real-clock.ts'
import { makeHttp2Upstream } from '../http2/http2-upstream.ts'
import { makeUndiciUpstream } from './undici-upstream.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const close of closing.splice(0)) await close()
})

/** A server with this certificate, which clients trust as far as its dates allow. */
async function serve(server: { key: string; cert: string }): Promise<string> {
  const connect = tls.connect.bind(tls) as (options: tls.ConnectionOptions) => tls.TLSSocket
  vi.spyOn(tls, 'connect').mockImplementation(((options: tls.ConnectionOptions) =>
    connect({ ...options, ca: server.cert })) as never)
  const made = createServer(server, (_, response) => response.end('ok'))
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    made.closeAllConnections()
    made.close()
  })
  return `https://localhost:${(made.address() as AddressInfo).port}`
}

function ask(upstream: Upstream, origin: string) {
  closing.push(() => upstream.close())
  return send(upstream.connect(origin, { insecure: false }))
}

it.each([
  ['HTTP/1.1', () => makeUndiciUpstream({ clock: realClock })],
  ['HTTP/2', () => makeHttp2Upstream({ clock: realClock })],
])('names an expired certificate of an upstream (%s)', async (_, make) => {
  const origin = await serve({ key: expiredKey, cert: expiredCert })
  expect(await ask(make(), origin)).toMatchObject({
    kind: 'error',
    reason: 'broken',
    detail: 'tls-expired',
    certificate: { subject: 'O=Example,CN=localhost', expiredAt: Date.UTC(2021, 1, 3, 4, 5, 6) },
    cause: expect.objectContaining({ message: 'certificate has expired' }),
  })
})

it('accepts a certificate that is valid', async () => {
  expect(await ask(makeUndiciUpstream({ clock: realClock }), await serve({ key, cert }))).toMatchObject({
    kind: 'response',
    status: 200,
  })
})
