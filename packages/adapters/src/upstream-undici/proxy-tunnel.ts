/** HTTP proxies on the way to an upstream (RFC 9110, 9.3.6). Only plain `http:` proxies are spoken to. */
import { connect, type Socket } from 'node:net'

export interface ProxyAddress {
  readonly hostname: string
  readonly port: string
  /** Value of `Proxy-Authorization`; `undefined`: none. */
  readonly credentials: string | undefined
}

/** Longest head of a proxy's answer, bytes. */
const longestHead = 16_384

/** Reads `proxy_url`; throws for what is no URL of an HTTP proxy. */
export function parseProxy(url: string): ProxyAddress {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed?.protocol !== 'http:') throw new Error('proxy_url is not the URL of an HTTP proxy')
  const { hostname, port, username, password } = parsed
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const credentials = username === '' ? undefined : `Basic ${Buffer.from(pair).toString('base64')}`
  return { hostname: hostname.replace(/^\[|\]$/g, ''), port: port || '80', credentials }
}

/** A socket on which the target's bytes come and go. */
export function openProxyTunnel(proxy: ProxyAddress, target: string, limitMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(proxy.port), proxy.hostname)
    const fail = (error: Error) => {
      clearTimeout(timer)
      socket.destroy()
      reject(error)
    }
    const timer = setTimeout(() => fail(new Error('the proxy did not answer')), limitMs)
    const lost = () => fail(new Error('the proxy closed the connection'))
    let head = ''
    const read = (chunk: Buffer) => {
      head += chunk.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) {
        if (head.length > longestHead) fail(new Error('the answer of the proxy cannot be read'))
        return
      }
      const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1]
      if (status !== '200') {
        fail(new Error(`the proxy answered ${status ?? 'in no way that can be read'}`))
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
