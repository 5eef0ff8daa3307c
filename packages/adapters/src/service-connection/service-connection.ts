/** What connections to services of the gateway itself, Redis and a collector of telemetry, have in common. */
import type { SecureVersion } from 'node:tls'

/** TLS options of a connection; certificates and keys in PEM. */
export interface ServiceTls {
  readonly ca?: string | undefined
  readonly cert?: string | undefined
  readonly key?: string | undefined
  /** Do not check the server's certificate. Default: false. */
  readonly insecure?: boolean
  readonly minVersion?: SecureVersion | undefined
  readonly maxVersion?: SecureVersion | undefined
}

/** Returns the options of node:tls. */
export function tlsOptions({ insecure = false, ...given }: ServiceTls): object {
  const set = Object.entries(given).filter(([, value]) => value !== undefined)
  return { rejectUnauthorized: !insecure, ...Object.fromEntries(set) }
}

/** Short reason of an error. Connection errors can be an AggregateError without a message. */
export function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const inner = cause instanceof AggregateError ? cause.errors[0] : undefined
  return cause.message || (inner instanceof Error ? inner.message : cause.name)
}
