/** Connects to an upstream through an HTTP proxy with CONNECT (RFC 9110 section 9.3.6). Only `http:` proxies are supported. */
import { connect, type Socket } from 'node:net'

export interface ProxyAddress {
  readonly hostname: string
  readonly port: string
  /** Value of `Proxy-Authorization`; `undefined` if the URL has no credentials. */
  readonly credentials: string | undefined
}

/** Maximum characters of the head of a proxy's response. */
const maxHeadLength = 16_384
const invalidResponse = 'the response of the proxy is not valid'

/** Parses `proxy_url`. Throws if it is not the URL of an HTTP proxy. */
export function parseProxy(url: string): ProxyAddress {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed?.protocol !== 'http:') throw new Error('proxy_url is not the URL of an HTTP proxy')
  const { hostname, port, username, password } = parsed
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const credentials = username === '' ? undefined : `Basic ${Buffer.from(pair).toString('base64')}`
  return { hostname: hostname.replace(/^\[|\]$/g, ''), port: port || '80', credentials }
}

/** Resolves to a socket that is connected to the target through the proxy. */
export function openProxyTunnel(proxy: ProxyAddress, target: string, limitMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(proxy.port), proxy.hostname)
    const fail = (error: Error) => {
      clearTimeout(timer)
      socket.destroy()
      reject(error)
    }
    const timer = setTimeout(() => fail(new Error('the proxy did not respond in time')), limitMs)
    const lost = () => fail(new Error('the proxy closed the connection'))
    let head = ''
    const read = (chunk: Buffer) => {
      head += chunk.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) {
        if (head.length > maxHeadLength) fail(new Error(invalidResponse))
        return
      }
      const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1]
      if (status !== '200') {
        fail(new Error(status === undefined ? invalidResponse : `the proxy returned status ${status}`))
        return
      }
      clearTimeout(timer)
      socket.pause()
      socket.off('data', read).off('error', fail).off('close', lost)
      if (head.length > end + 4) socket.unshift(Buffer.from(head.slice(end + 4), 'latin1'))
      resolve(socket)
    }
    socket.on('error', fail).on('close', lost).on('data', read)
    socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${authorization(proxy)}\r\n`)
  })
}

function authorization({ credentials }: ProxyAddress): string {
  return credentials === undefined ? '' : `Proxy-Authorization: ${credentials}\r\n`
}
