/** From what Node and undici report to the few reasons that the engine tells apart. */
import type { UpstreamFault } from '@turnpike/core'

type Reason = UpstreamFault['reason']

const reasons: Readonly<Record<string, Reason>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EADDRNOTAVAIL: 'refused',
  ENOENT: 'refused',
  ENOTFOUND: 'unknown-host',
  EAI_AGAIN: 'unknown-host',
  EAI_NODATA: 'unknown-host',
  EAI_NONAME: 'unknown-host',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
}

/** The fault that an error of a call amounts to; what is not known otherwise is `broken`. */
export function faultOf(error: unknown): UpstreamFault {
  return { kind: 'fault', reason: reasons[codeOf(error)] ?? 'broken', cause: error }
}

/** The call took longer than it may. */
export function timeoutFault(timeoutMs: number): UpstreamFault {
  return { kind: 'fault', reason: 'timeout', cause: new UpstreamTimeout(timeoutMs) }
}

/** The caller, or the client behind it, gave up. */
export function cancelledFault(cause: unknown): UpstreamFault {
  return { kind: 'fault', reason: 'cancelled', cause }
}

/** Says that an upstream kept silent for too long. */
export class UpstreamTimeout extends Error {
  constructor(timeoutMs: number) {
    super(`the upstream was silent for ${timeoutMs} ms`)
  }
}

/** Whether the error says that the connection went away, and nothing about the request itself. */
export function isConnectionLoss(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE'
}

/** Whether the client library refused the request before a byte of it was sent. */
export function isUnsendable(error: unknown): boolean {
  return codeOf(error) === 'UND_ERR_INVALID_ARG'
}

// Several addresses of a host tried in vain make one error of many; the first tells as much as all.
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const { code, errors } = error as { code?: unknown; errors?: unknown }
  if (typeof code === 'string') return code
  return Array.isArray(errors) && errors.length > 0 ? codeOf(errors[0]) : ''
}
