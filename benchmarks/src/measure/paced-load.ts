/**
 * Load at a constant rate over keep-alive connections, paced like wrk2: request n is due at n ÷ rate, independent of
 * earlier requests, and its latency counts from that moment. A server that stalls for a second therefore shows a second's
 * worth of slow requests instead of one (coordinated omission). Responses need a Content-Length.
 */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { quantileOf } from './statistics.ts'

export interface PacedLoad {
  readonly url: string
  readonly perSecond: number
  readonly seconds: number
  readonly connections: number
  readonly headers?: Readonly<Record<string, string>>
}

export interface PacedResult {
  readonly requests: number
  /** Responses with a status other than 2xx, and requests without a response. */
  readonly failed: number
  /** Milliseconds since the request was due. */
  readonly latency: {
    readonly p50: number
    readonly p90: number
    readonly p99: number
    readonly p999: number
    readonly max: number
  }
}

interface Line {
  readonly socket: Socket
  /** When the current request was due; `undefined`: the connection is idle. */
  due: number | undefined
  buffered: string
}

/** Requests that are still open this long after the end count as failed. */
const lastMs = 5000

export async function pacedLoad(load: PacedLoad): Promise<PacedResult> {
  const { hostname, port, pathname, search, host } = new URL(load.url)
  const fields = Object.entries(load.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`)
  const message = `GET ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\n${fields.join('')}\r\n`
  const latencies: number[] = []
  const free: Line[] = []
  const waiting: number[] = []
  let open = 0

  const send = (line: Line, due: number) => {
    line.due = due
    line.socket.write(message)
  }
  const settle = (line: Line, ok: boolean) => {
    if (line.due === undefined) return
    if (ok) latencies.push(performance.now() - line.due)
    line.due = undefined
    open--
  }
  const lines = Array.from({ length: load.connections }, () => dial(Number(port), hostname))
  for (const line of lines) {
    line.socket.setEncoding('latin1')
    line.socket.on('data', (text: string) => {
      line.buffered += text
      const status = takeAnswer(line)
      if (status === undefined) return
      settle(line, status >= 200 && status < 300)
      const due = waiting.shift()
      if (due === undefined) free.push(line)
      else send(line, due)
    })
    line.socket.on('error', () => settle(line, false))
    line.socket.on('close', () => settle(line, false))
  }
  free.push(...lines)

  const total = Math.round(load.perSecond * load.seconds)
  const startedAt = performance.now()
  for (let sent = 0; sent < total; ) {
    for (; sent < total; sent++) {
      const due = startedAt + (sent * 1000) / load.perSecond
      if (due > performance.now()) break
      open++
      const line = free.pop()
      if (line === undefined) waiting.push(due)
      else send(line, due)
    }
    await sleep(1)
  }
  const end = performance.now() + lastMs
  while (open > 0 && performance.now() < end) await sleep(5)
  for (const { socket } of lines) socket.destroy()
  latencies.sort((a, b) => a - b)
  const [p50, p90, p99, p999] = [0.5, 0.9, 0.99, 0.999].map((share) => quantileOf(latencies, share))
  return {
    requests: total,
    failed: total - latencies.length,
    latency: { p50: p50 ?? 0, p90: p90 ?? 0, p99: p99 ?? 0, p999: p999 ?? 0, max: latencies.at(-1) ?? 0 },
  }
}

function dial(port: number, host: string): Line {
  const socket = connect({ port, host, noDelay: true })
  return { socket, due: undefined, buffered: '' }
}

/** Removes a complete response from the buffer and returns its status. */
function takeAnswer(line: Line): number | undefined {
  const headEnd = line.buffered.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = line.buffered.slice(0, headEnd)
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
  const end = headEnd + 4 + length
  if (line.buffered.length < end) return undefined
  line.buffered = line.buffered.slice(end)
  return Number(head.slice(9, 12))
}
