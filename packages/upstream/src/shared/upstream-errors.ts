/** Maps errors of Node and undici to the reasons of `UpstreamError`. */
import type { ConnectionFailure, ExpiredCertificate, UpstreamError } from '@turnpike/core/ports'

type Reason = UpstreamError['reason']

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

const failures: Readonly<Record<string, ConnectionFailure>> = {
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ETIMEDOUT: 'connect-timeout',
  UND_ERR_CONNECT_TIMEOUT: 'connect-timeout',
  CERT_HAS_EXPIRED: 'tls-expired',
  CERT_NOT_YET_VALID: 'tls-expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls-name',
  HOSTNAME_MISMATCH: 'tls-name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls-authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls-authority',
  UNABLE_TO_GET_ISSUER_CERT: 'tls-authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls-authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls-authority',
  EPROTO: 'tls-handshake',
}

/** Other results of the verification of a certificate (OpenSSL, X509_STORE_CTX_get_error). */
const invalidCertificate = /^(?:CERT_|CRL_|INVALID_|PATH_LENGTH_EXCEEDED|UNABLE_TO_(?:DECRYPT|DECODE)_|ERROR_IN_CERT_)/

/** Maps an error to a result. The reason of unknown errors is `broken`. */
export function upstreamErrorOf(error: unknown): UpstreamError {
  const code = codeOf(error)
  const detail = failureOf(code, error)
  const reason = reasons[code] ?? 'broken'
  if (detail === undefined) return { kind: 'error', reason, cause: error }
  const { certificate } = error instanceof ExpiredCertificateError ? error : {}
  return { kind: 'error', reason, detail, cause: error, ...(certificate === undefined ? {} : { certificate }) }
}

function failureOf(code: string, error: unknown): ConnectionFailure | undefined {
  const known = failures[code]
  if (known !== undefined) return known
  if (invalidCertificate.test(code)) return 'tls-invalid'
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return 'tls-handshake'
  // Only an error of the operating system is a reset. An upstream that closes the connection in order ends it.
  const isReset = (code === 'ECONNRESET' || code === 'EPIPE') && (error as { syscall?: unknown }).syscall !== undefined
  return isReset ? 'reset' : undefined
}

/** The result of a call that exceeded its timeout. */
export function timeoutError(timeoutMs: number): UpstreamError {
  return { kind: 'error', reason: 'timeout', cause: new UpstreamTimeout(timeoutMs) }
}

/** The result of a call that was cancelled by its caller or the client. */
export function cancelledError(cause: unknown): UpstreamError {
  return { kind: 'error', reason: 'cancelled', cause }
}

/** The upstream's certificate has expired. Has the code and the text of Node. */
export class ExpiredCertificateError extends Error {
  readonly code = 'CERT_HAS_EXPIRED'
  readonly certificate: ExpiredCertificate

  constructor(certificate: ExpiredCertificate) {
    super('certificate has expired')
    this.certificate = certificate
  }
}

/** The upstream sent nothing for the duration of the timeout. */
export class UpstreamTimeout extends Error {
  constructor(timeoutMs: number) {
    super(`the upstream sent nothing for ${timeoutMs} ms`)
  }
}

/** Returns true if the error is a closed connection, not a problem of the request. */
export function isConnectionLoss(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE'
}

/** Returns true if undici rejected the request before sending a byte. */
export function isUnsendable(error: unknown): boolean {
  return codeOf(error) === 'UND_ERR_INVALID_ARG'
}

// Node reports failed attempts with several addresses as one AggregateError. The first error decides.
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const { code, errors } = error as { code?: unknown; errors?: unknown }
  if (typeof code === 'string') return code
  return Array.isArray(errors) && errors.length > 0 ? codeOf(errors[0]) : ''
}
