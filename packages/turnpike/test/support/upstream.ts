/** An upstream that remembers what reached it, also what reached it in part. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SeenRequest {
  readonly method: string
  readonly url: string
  /** The body came to its end. */
  complete: boolean
  body: string
}

export interface RecordingUpstream {
  readonly url: string
  readonly port: number
  readonly seen: readonly SeenRequest[]
  forget(): void
  close(): Promise<void>
}

/** Responds with 200 `ok` as soon as the whole request is there; `?delay=MS` makes it wait. */
export async function startRecordingUpstream(): Promise<RecordingUpstream> {
  const seen: SeenRequest[] = []
  const server: Server = createServer((request, response) => {
    const { method = '', url = '' } = request
    const entry: SeenRequest = { method, url, complete: false, body: '' }
    seen.push(entry)
    request.on('data', (chunk) => {
      entry.body += String(chunk)
    })
    request.on('error', () => undefined)
    request.on('end', () => {
      entry.complete = true
      setTimeout(() => response.end('ok'), Number(new URL(url, 'http://x').searchParams.get('delay') ?? 0))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    port,
    seen,
    forget() {
      seen.length = 0
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
