import { X509Certificate } from 'node:crypto'
import { connect } from 'node:http2'
import { request } from 'node:https'
import type { GatewayRequest, Listening } from '@turnpike/core'
import { afterEach, describe, expect, it } from 'vitest'
import { cert, key } from '../testing/local-certificate.ts'
import { makeNodeFrontEnd } from './front-end-node.ts'

describe('the node front end with TLS', () => {
  let listening: Listening
  let seen: GatewayRequest | undefined
  afterEach(() => listening.close(0))

  const start = async (tls: object, http2 = false) => {
    const frontEnd = makeNodeFrontEnd({ http2, tls: { key, cert, ...tls } })
    const handle = (it: GatewayRequest) => {
      seen = it
      return { status: 200, headers: [], body: 'secret' }
    }
    listening = await frontEnd.listen(handle, { host: '127.0.0.1', port: 0 })
  }

  const ask = (client: object) =>
    new Promise<string>((resolve, reject) => {
      const call = request({ host: '127.0.0.1', port: listening.port, ca: cert, ...client }, (answer) => {
        let text = ''
        answer.on('data', (chunk) => {
          text += chunk
        })
        answer.on('end', () => resolve(text))
      })
      call.on('error', reject)
      call.end()
    })

  it('serves, and tells that the connection is protected', async () => {
    await start({})
    expect(await ask({})).toBe('secret')
    expect(seen?.secure).toBe(true)
    expect(seen?.clientCertificate).toBeUndefined()
  })

  it('speaks HTTP/2 with clients that want it, and HTTP/1.1 with the others', async () => {
    await start({}, true)
    const client = connect(`https://localhost:${listening.port}`, { ca: cert })
    const status = await new Promise((resolve, reject) => {
      client.on('error', reject)
      client.request({ ':path': '/two' }).on('response', (headers) => resolve(headers[':status']))
    })
    client.destroy()
    expect(status).toBe(200)
    expect(seen).toMatchObject({ path: '/two', secure: true })
    expect(await ask({ path: '/one' })).toBe('secret')
    expect(seen).toMatchObject({ path: '/one', secure: true })
  })

  it('hands over the client’s certificate where it asks for one', async () => {
    await start({ requestCert: true, rejectUnauthorized: false })
    await ask({ key, cert })
    expect(seen?.clientCertificate).toEqual(new Uint8Array(new X509Certificate(cert).raw))
    await ask({})
    expect(seen?.clientCertificate).toBeUndefined()
  })

  it('refuses clients without a certificate it trusts, where that is asked for', async () => {
    await start({ requestCert: true, rejectUnauthorized: true, ca: cert })
    await expect(ask({})).rejects.toThrow()
    expect(await ask({ key, cert })).toBe('secret')
  })
})
