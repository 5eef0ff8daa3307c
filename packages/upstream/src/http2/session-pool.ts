/**
 * The HTTP/2 sessions with one origin. Streams share a session up to its limit; then the pool opens another one. An idle
 * session closes after a while, and a session whose upstream is about to close it gets no new streams.
 */

import type { OutgoingHttpHeaders } from 'node:http'
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type ClientSessionRequestOptions,
  connect,
  constants,
} from 'node:http2'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { PacedSocket } from './paced-socket.ts'

/** Maximum concurrent streams of a session, also if the upstream allows more. */
const maxStreams = 100
/** Flow-control windows in bytes. A paused stream must not use up the window of its session. */
const streamWindow = 131_072
const sessionWindow = maxStreams * streamWindow

/** The upstream selected HTTP/1.1 in the TLS handshake. */
export class Http1Selected extends Error {
  constructor() {
    super('the upstream selected HTTP/1.1')
  }
}

export interface SessionPoolOptions {
  readonly scheme: 'http' | 'https'
  readonly authority: string
  /** Opens a connection; rejects with `Http1Selected` if the upstream does not want HTTP/2. */
  readonly openSocket: () => Promise<Socket>
  /** Milliseconds until an idle session closes. */
  readonly keepAliveMs: number
  /** Milliseconds in which the upstream must send its settings. */
  readonly connectTimeoutMs: number
  /** Maximum bytes of the header fields of a response. */
  readonly maxHeadBytes: number
}

export class SessionPool {
  readonly scheme: string
  readonly authority: string
  private readonly options: SessionPoolOptions
  private readonly sessions = new Set<PooledSession>()
  /** The upstream selected HTTP/1.1 when a connection was last opened. */
  isHttp1 = false
  private opening: Promise<void> | undefined = undefined
  private state: 'open' | 'retired' | 'closed' = 'open'

  constructor(options: SessionPoolOptions) {
    this.options = options
    this.scheme = options.scheme
    this.authority = options.authority
  }

  /** A session that accepts another stream. */
  pick(): PooledSession | undefined {
    for (const session of this.sessions) if (session.accepts) return session
    return undefined
  }

  /** Opens one more session. Concurrent callers share it. */
  open(): Promise<void> {
    this.opening ??= this.openSession().finally(() => {
      this.opening = undefined
    })
    return this.opening
  }

  /** A certificate or key has changed: new requests get new connections. */
  renew(): void {
    for (const session of this.sessions) session.retire()
  }

  /** The last user has released the origin: sessions close when their streams have ended. */
  retire(): void {
    this.state = 'retired'
    for (const session of this.sessions) session.closeWhenIdle()
  }

  /** Aborts all calls. */
  async destroy(): Promise<void> {
    this.state = 'closed'
    for (const session of this.sessions) session.destroy()
  }

  private async openSession(): Promise<void> {
    const { scheme, authority, openSocket, keepAliveMs, connectTimeoutMs, maxHeadBytes } = this.options
    const opened = await openSocket().catch((error: unknown) => {
      this.isHttp1 = error instanceof Http1Selected
      throw error
    })
    const socket = new PacedSocket(opened)
    if (this.state === 'closed') {
      socket.destroy()
      throw new Error('the upstream adapter was closed')
    }
    const http2 = connect(`${scheme}://${authority}`, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: streamWindow, maxHeaderListSize: maxHeadBytes },
    })
    const session: PooledSession = new PooledSession(http2, socket, () => this.state === 'open')
    http2.on('connect', () => http2.setLocalWindowSize(sessionWindow))
    http2.setTimeout(keepAliveMs, () => session.idle())
    await settingsOf(http2, connectTimeoutMs)
    this.sessions.add(session)
    http2.on('close', () => this.sessions.delete(session))
  }
}

/**
 * Waits for the first settings of the upstream, which contain its limit of streams. A server that does not speak HTTP/2
 * fails here.
 */
function settingsOf(http2: ClientHttp2Session, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const error = new Error(`the upstream sent no HTTP/2 settings within ${timeoutMs} ms`)
      http2.destroy(Object.assign(error, { code: 'ETIMEDOUT' }))
    }, timeoutMs)
    http2.once('remoteSettings', () => {
      clearTimeout(timer)
      resolve()
    })
    http2.once('error', reject)
    http2.once('close', () => {
      clearTimeout(timer)
      reject(new Error('the upstream closed the connection before it sent HTTP/2 settings'))
    })
  })
}

export class PooledSession {
  private readonly http2: ClientHttp2Session
  private readonly socket: Duplex
  private readonly isKept: () => boolean
  private active = 0
  private started = 0
  private retired = false
  /** Why the connection failed. */
  error: unknown = undefined

  constructor(http2: ClientHttp2Session, socket: Duplex, isKept: () => boolean) {
    this.http2 = http2
    this.socket = socket
    this.isKept = isKept
    http2.on('error', (error) => {
      this.error = error
    })
    http2.on('goaway', () => this.retire())
  }

  get accepts(): boolean {
    const { http2 } = this
    if (this.retired || http2.closed || http2.destroyed) return false
    return this.active < Math.min(maxStreams, http2.remoteSettings.maxConcurrentStreams ?? maxStreams)
  }

  /** More than one stream was opened, so the connection once worked. */
  get wasUsed(): boolean {
    return this.started > 1
  }

  get isLost(): boolean {
    return this.http2.closed || this.http2.destroyed
  }

  request(fields: OutgoingHttpHeaders, options: ClientSessionRequestOptions): ClientHttp2Stream {
    const stream = this.http2.request(fields, options)
    this.active++
    this.started++
    return stream
  }

  streamClosed(): void {
    this.active--
    if (this.retired || !this.isKept()) this.closeWhenIdle()
  }

  /** Opens no new streams. */
  retire(): void {
    this.retired = true
    this.closeWhenIdle()
  }

  /** No frame arrived for a while. */
  idle(): void {
    if (this.active === 0) this.retire()
  }

  /** Node's own `close` would wait until the upstream closes its side too, so the socket is closed as well. */
  closeWhenIdle(): void {
    if (this.active > 0) return
    this.http2.destroy()
    this.socket.destroy()
  }

  destroy(): void {
    this.http2.destroy(new Error('the upstream adapter was closed'), constants.NGHTTP2_CANCEL)
  }
}
