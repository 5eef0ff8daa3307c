/** A small HTTP server whose limiter a test writes in a few lines. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Io } from '../../src/io.ts'
import { main } from '../../src/main.ts'

export interface Decision {
  readonly admitted: boolean
  readonly headers?: Record<string, string>
}
export type Decide = (key: string, now: number, request: IncomingMessage) => Decision | Promise<Decision>

const servers: Server[] = []

/** Starts a server. Returns its URL. */
export async function startSmallGateway(decide: Decide): Promise<string> {
  const server = createServer(async (request, response) => {
    const { admitted, headers = {} } = await decide(String(request.headers['x-key']), Date.now(), request)
    response.writeHead(admitted ? 200 : 429, headers).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push(server)
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`
}

export function closeSmallGateways(): void {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
}

export interface Window {
  readonly endsAt: number
  readonly used: number
}

/** A fixed window that starts with the first request. With `gapMs`, it counts that long after it has checked. */
export function fixedWindow(limit: number, periodMs: number, gapMs = 0): Decide {
  const windows = new Map<string, Window>()
  return async (key, now) => {
    const old = windows.get(key)
    const window = old !== undefined && now < old.endsAt ? old : { endsAt: now + periodMs, used: 0 }
    if (gapMs > 0) await wait(gapMs)
    if (window.used >= limit) return { admitted: false }
    windows.set(key, { ...window, used: window.used + 1 })
    return { admitted: true }
  }
}

export interface Judged {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs the command line. */
export async function runJudge(...args: readonly string[]): Promise<Judged> {
  const out: string[] = []
  const err: string[] = []
  const io: Io = {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    isTerminal: false,
    environment: {},
    cwd: import.meta.dirname,
  }
  const code = await main(args, io)
  return { code, out: out.join('\n'), err: err.join('\n') }
}
