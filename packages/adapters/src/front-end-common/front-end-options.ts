/** Options of all front ends and their defaults. */
import type { Log } from '@turnpike/core/ports'
import { silentLog } from '@turnpike/core/ports'
import { makeTunnelBudget, type TunnelBudget } from './tunnel-budget.ts'

export interface FrontEndOptions {
  /** Maximum bytes of the request line and headers; more is rejected with 431. Default: 65,536. */
  readonly maxHeaderBytes?: number
  /** Milliseconds in which the headers of a request must arrive. Default: 10,000. uWebSockets.js always uses 10 s. */
  readonly headerTimeoutMs?: number
  /** Milliseconds without progress of a request body, caused by the client. Default: 60,000. */
  readonly bodyStallMs?: number
  /** Milliseconds in which a client reads nothing of a response. Default: `bodyStallMs`. */
  readonly writeStallMs?: number
  /** Milliseconds after which an idle connection is closed. Default: 75,000. uWebSockets.js always uses 10 s. */
  readonly keepAliveMs?: number
  /** Milliseconds without traffic after which an upgraded connection is closed; 0: never. Default: 120,000. */
  readonly tunnelIdleMs?: number
  /** Bounds the bytes that upgraded connections buffer. Default: 1 MiB each, 64 MiB for those of this front end. */
  readonly tunnelBudget?: TunnelBudget
  /** Maximum bytes of a request body; more is rejected with 413. Default: 0, no limit. */
  readonly maxBodyBytes?: number
  /** Closes the connection after each response. Default: false. */
  readonly closeConnections?: boolean
  /** uWebSockets.js on Linux: limits the socket receive buffer, see limit-receive-buffer.ts. Default: false. */
  readonly limitReceiveBuffer?: boolean
  /** Several processes listen on the port and the kernel distributes connections. Default: false. */
  readonly reusePort?: boolean
  /** Receives connection errors at debug level. Default: no log. */
  readonly log?: Log
}

export type ResolvedFrontEndOptions = Required<FrontEndOptions>

/** Returns the options with all defaults set. */
export function resolveOptions(options: FrontEndOptions): ResolvedFrontEndOptions {
  return {
    maxHeaderBytes: options.maxHeaderBytes ?? 65_536,
    headerTimeoutMs: options.headerTimeoutMs ?? 10_000,
    bodyStallMs: options.bodyStallMs ?? 60_000,
    writeStallMs: options.writeStallMs ?? options.bodyStallMs ?? 60_000,
    keepAliveMs: options.keepAliveMs ?? 75_000,
    tunnelIdleMs: options.tunnelIdleMs ?? 120_000,
    tunnelBudget: options.tunnelBudget ?? makeTunnelBudget(),
    maxBodyBytes: options.maxBodyBytes ?? 0,
    closeConnections: options.closeConnections ?? false,
    limitReceiveBuffer: options.limitReceiveBuffer ?? false,
    reusePort: options.reusePort ?? false,
    log: options.log ?? silentLog,
  }
}

/** Bytes of a request body that are buffered before the connection is paused. */
export const maxBufferedBodyBytes = 65_536

/** Maximum header lines of one request; more is rejected with 431. It is the limit that uWebSockets.js is built with. */
export const maxHeaderLines = 99
