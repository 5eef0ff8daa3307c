/** What both front ends can be told, with the defaults in one place. */
import type { Log } from '@turnpike/core'
import { silentLog } from '@turnpike/core'

export interface FrontEndOptions {
  /** Bytes of request line and headers together; 65,536 by default. Over it: 431. */
  readonly maxHeaderBytes?: number
  /** Milliseconds in which a request's headers must be complete; 10,000 by default. uWebSockets.js: fixed at 10 s. */
  readonly headerTimeoutMs?: number
  /** Milliseconds that a body, in either direction, may stand still because of the client; 60,000 by default. */
  readonly bodyStallMs?: number
  /** Milliseconds that an idle connection is kept; 75,000 by default. uWebSockets.js: fixed at 10 s. */
  readonly keepAliveMs?: number
  /** Bytes of a request's body; over it 413. 0, the default: no limit. */
  readonly maxBodyBytes?: number
  /** Every answer ends its connection; false by default. */
  readonly closesConnections?: boolean
  /** uWebSockets.js on Linux: bound what the system holds of uploads, by a short-lived process; false by default. */
  readonly limitsReceiveBuffer?: boolean
  /** Other processes open the port as well, and the kernel spreads connections; false by default. */
  readonly sharesPort?: boolean
  /** Where connections that broke the rules are told, at debug level; by default nowhere. */
  readonly log?: Log
}

export type FrontEndRules = Required<FrontEndOptions>

/** Completes the options. */
export function toRules(options: FrontEndOptions): FrontEndRules {
  return {
    maxHeaderBytes: options.maxHeaderBytes ?? 65_536,
    headerTimeoutMs: options.headerTimeoutMs ?? 10_000,
    bodyStallMs: options.bodyStallMs ?? 60_000,
    keepAliveMs: options.keepAliveMs ?? 75_000,
    maxBodyBytes: options.maxBodyBytes ?? 0,
    closesConnections: options.closesConnections ?? false,
    limitsReceiveBuffer: options.limitsReceiveBuffer ?? false,
    sharesPort: options.sharesPort ?? false,
    log: options.log ?? silentLog,
  }
}

/** Bytes of a request body that wait in memory for their reader before the connection is held back. */
export const heldBodyBytes = 65_536

/** Header lines of one request; over it 431, as uWebSockets.js is built. */
export const maxHeaderLines = 99
