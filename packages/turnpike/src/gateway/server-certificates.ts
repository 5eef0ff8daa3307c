/**
 * Selects the server certificate by the server name (SNI) of a TLS handshake, from the ids and files of the
 * configuration and of API definitions. Ids are resolved at each handshake, so an added or removed certificate takes
 * effect at once. Source: docs/reference/certificates.md#certificate-endpoints.
 */
import { X509Certificate } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { FindPem } from './create-platform.ts'

export interface ServerCertificates {
  /** Returns the first certificate for a server name; with `wildcards` also by wildcards such as `*.example.com`. */
  find(serverName: string, wildcards: boolean): Promise<SecureContext | undefined>
}

interface Usable {
  readonly pem: string
  readonly x509: X509Certificate
  readonly context: SecureContext
}

/** `names` returns the current ids and files. Certificates that cannot be parsed are skipped. */
export function makeServerCertificates(names: () => readonly string[], findPem: FindPem): ServerCertificates {
  const made = new Map<string, Usable | undefined>()
  const usableOf = (pem: string): Usable | undefined => {
    if (!made.has(pem)) {
      // Bounds the cache: certificates that are no longer configured would stay in it.
      if (made.size > 1000) made.clear()
      made.set(pem, makeUsable(pem))
    }
    return made.get(pem)
  }
  return {
    async find(serverName, wildcards) {
      for (const name of names()) {
        const pem = await findPem(name)
        const usable = pem === undefined ? undefined : usableOf(pem)
        if (usable?.x509.checkHost(serverName, { wildcards }) !== undefined) return usable.context
      }
      return undefined
    },
  }
}

function makeUsable(pem: string): Usable | undefined {
  try {
    return { pem, x509: new X509Certificate(pem), context: createSecureContext({ cert: pem, key: pem }) }
  } catch {
    return undefined
  }
}
