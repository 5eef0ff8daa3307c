/** The kinds of HTTP traffic that are measured, with the budget of the gateway for each. */
import type { Contestant } from '../loopback/compare.ts'
import { loadHttp2, loadWebSocket } from './other-loads.ts'

export interface HttpKind {
  readonly name: string
  /** What one unit of the load is. */
  readonly unit: 'request' | 'MiB' | 'connection' | 'message'
  readonly tls?: boolean
  /** Behind the prefix of the API; default: /plain. */
  readonly path?: string
  /** What the load sends; wrk sends GET requests by default. */
  readonly load?: Pick<Contestant, 'headers' | 'script' | 'connections' | 'load'>
  /** Largest ratio of CPU time to that of a reference. */
  readonly budget?: { readonly most: number; readonly of: 'nginx' | 'HAProxy' }
  /** Why the bare server on node:net is not measured. */
  readonly notBare?: string
}

const post = (body: string) => `wrk.method = 'POST'\nwrk.body = ${body}`

/** wrk adds Content-Length to what it formats, so the whole request is written here. */
const chunked = `request = function()
  return 'POST ' .. wrk.path .. ' HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n64\\r\\n' ..
    string.rep('x', 100) .. '\\r\\n0\\r\\n\\r\\n'
end`

/** What a browser sends with a request, without cookies. */
const browserHeaders = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'accept-language': 'en-GB,en;q=0.9,de;q=0.8',
  'cache-control': 'no-cache',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'same-origin',
  'upgrade-insecure-requests': '1',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  referer: 'https://shop.example/products?sort=name&page=3',
}

const down = { path: '/large', unit: 'MiB', load: { connections: 8 } } as const
const up = { unit: 'MiB', load: { script: post("string.rep('x', 1024 * 1024)"), connections: 4 } } as const
const newConnection = { headers: { Connection: 'close' } }

export const httpKinds: readonly HttpKind[] = [
  { name: 'GET', unit: 'request', budget: { most: 1.8, of: 'nginx' } },
  { name: 'GET with ten headers of a browser', unit: 'request', load: { headers: browserHeaders } },
  {
    name: 'POST of 200 bytes',
    unit: 'request',
    load: { script: post("string.rep('x', 200)") },
    budget: { most: 2.1, of: 'nginx' },
  },
  {
    name: 'POST of 100 bytes, chunked',
    unit: 'request',
    load: { script: chunked },
    budget: { most: 2.1, of: 'nginx' },
  },
  { name: '1 MiB down', ...down, budget: { most: 1, of: 'HAProxy' } },
  { name: '1 MiB up', ...up, budget: { most: 0.8, of: 'nginx' } },
  { name: 'GET over TLS', unit: 'request', tls: true, budget: { most: 1.8, of: 'nginx' } },
  {
    name: 'GET on a new TLS connection',
    unit: 'connection',
    tls: true,
    load: newConnection,
    notBare: 'keeps it alive',
  },
  { name: '1 MiB down over TLS', ...down, tls: true },
  { name: '1 MiB up over TLS', ...up, tls: true },
  { name: 'GET over HTTP/2 and TLS', unit: 'request', tls: true, load: { load: loadHttp2 }, notBare: 'has no HTTP/2' },
  { name: 'WebSocket message of 100 bytes', unit: 'message', load: { load: loadWebSocket } },
]

export const idleName = 'idle connection'
/** Open connections whose memory is measured. */
export const idleConnections = 10_000
export const idleBudgetKiB = 8
