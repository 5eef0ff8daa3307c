import { X509Certificate } from 'node:crypto'
import { connect } from 'node:http2'
import { request } from 'node:https'
import type { ByteStream, GatewayRequest } from '@turnpike/core/http'
import type { Listening } from '@turnpike/core/ports'
import { afterEach, describe, expect, it } from 'vitest'
import { cert, key } from '../../../upstream/test/local-certificate.ts'
import { stranger } from '../certificates-node/testing/test-certificates.ts'
import { makeNodeFrontEnd } from '../front-end-node/front-end-node.ts'
import { makeHttp1FrontEnd } from './front-end-http1.ts'

function brokenStream(): ByteStream {
  return {
    pipe(sink) {
      sink.data(Buffer.from('abc'))
      setTimeout(() => sink.fail(new Error('the upstream closed the connection')), 10)
    },
    pause() {},
    resume() {},
    cancel() {},
  }
}

const other = { key: stranger.key, cert: stranger.cert }

const frontEnds = [
  ['node', makeNodeFrontEnd],
  ['http1', makeHttp1FrontEnd],
] as const

describe.each(frontEnds)('the front end %s', (_name, make) => {
  describe('with TLS', () => {
    let listening: Listening
    let seen: GatewayRequest | undefined
    afterEach(() => listening.close(0))

    const start = async (tls: object, http2 = false) => {
      const frontEnd = make({ http2, tls: { key, cert, ...tls } })
      const handle = (it: GatewayRequest) => {
        seen = it
        if (it.path === '/broken') return { status: 200, headers: [], body: brokenStream() }
        return { status: 200, headers: [], body: 'secret' }
      }
      listening = await frontEnd.listen(handle, { host: '127.0.0.1', port: 0 })
    }

    const fetchText = (client: object) =>
      new Promise<string>((resolve, reject) => {
        const clientRequest = request({ host: '127.0.0.1', port: listening.port, ca: cert, ...client }, (response) => {
          let text = ''
          response.on('data', (chunk) => {
            text += chunk
          })
          response.on('error', reject)
          response.on('end', () => resolve(text))
        })
        clientRequest.on('error', reject)
        clientRequest.end()
      })

    it('serves requests and marks them as secure', async () => {
      await start({})
      expect(await fetchText({})).toBe('secret')
      expect(seen?.secure).toBe(true)
      expect(seen?.clientCertificate).toBeUndefined()
    })

    it('serves HTTP/2 to clients that negotiate it, and HTTP/1.1 to the others', async () => {
      await start({}, true)
      const client = connect(`https://localhost:${listening.port}`, { ca: cert })
      const status = await new Promise((resolve, reject) => {
        client.on('error', reject)
        client.request({ ':path': '/two' }).on('response', (headers) => resolve(headers[':status']))
      })
      client.destroy()
      expect(status).toBe(200)
      expect(seen).toMatchObject({ path: '/two', secure: true })
      expect(await fetchText({ path: '/one' })).toBe('secret')
      expect(seen).toMatchObject({ path: '/one', secure: true })
    })

    it('cuts a response whose body breaks off, and serves the next request', async () => {
      await start({})
      await expect(fetchText({ path: '/broken' })).rejects.toThrow()
      expect(await fetchText({})).toBe('secret')
    })

    it('uses a renewed certificate for later connections', async () => {
      let renew: (options: object) => void = () => undefined
      const renewals = (listener: typeof renew) => {
        renew = listener
        return () => undefined
      }
      await start({ ...other, renewals })
      await expect(fetchText({})).rejects.toThrow(/self-signed/)
      renew({ key, cert })
      expect(await fetchText({})).toBe('secret')
    })

    it('passes the client’s certificate to the handler if it requests one', async () => {
      await start({ requestCert: true, rejectUnauthorized: false })
      await fetchText({ key, cert })
      expect(seen?.clientCertificate).toEqual(new Uint8Array(new X509Certificate(cert).raw))
      await fetchText({})
      expect(seen?.clientCertificate).toBeUndefined()
    })

    it('rejects clients without a trusted certificate if rejectUnauthorized is on', async () => {
      await start({ requestCert: true, rejectUnauthorized: true, ca: cert })
      await expect(fetchText({})).rejects.toThrow()
      expect(await fetchText({ key, cert })).toBe('secret')
    })
  })
})
