/**
 * Limits the time of connections on which no body flows: idle ones, incomplete heads, and closed ones whose client does not
 * read. One periodic sweep checks all connections, because a timer per request would cost more than the request. Time is
 * counted in sweeps, so a process that was suspended does not close its connections.
 */
import type { ResolvedFrontEndOptions } from '../front-end-common/front-end-options.ts'

/** What a connection waits for; `busy`: for the handler or a body, which have limits of their own. */
export type Waiting = 'idle' | 'head' | 'busy' | 'close'

export interface SweptConnection {
  readonly waiting: Waiting
  /** Number of the sweep since which the connection waits. */
  readonly since: number
  /** The limit of what the connection waits for has passed. */
  expire(): void
}

const maxTickMs = 1_000

export class ConnectionSweep {
  /** Number of sweeps so far. */
  tick = 0
  private readonly limits: Readonly<Record<Waiting, number>>
  private readonly timer: NodeJS.Timeout

  /** Starts the sweeps. Their timer does not keep the process alive. */
  constructor(
    connections: ReadonlySet<SweptConnection>,
    { headerTimeoutMs, keepAliveMs, writeStallMs }: ResolvedFrontEndOptions,
  ) {
    const tickMs = Math.max(20, Math.min(maxTickMs, headerTimeoutMs / 4, keepAliveMs / 4, writeStallMs / 4))
    this.limits = {
      idle: Math.ceil(keepAliveMs / tickMs),
      head: Math.ceil(headerTimeoutMs / tickMs),
      busy: Number.POSITIVE_INFINITY,
      close: Math.ceil(writeStallMs / tickMs),
    }
    this.timer = setInterval(() => this.sweep(connections), tickMs)
    this.timer.unref()
  }

  stop(): void {
    clearInterval(this.timer)
  }

  private sweep(connections: ReadonlySet<SweptConnection>): void {
    this.tick++
    for (const connection of connections) {
      if (this.tick - connection.since > this.limits[connection.waiting]) connection.expire()
    }
  }
}
