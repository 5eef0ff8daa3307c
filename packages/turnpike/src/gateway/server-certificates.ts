/**
 * The certificates that the gateway shows, by the server name that a client asks for: those of the configuration and of
 * API definitions, by id or file. What a name stands for is looked up at each handshake, so that a certificate that is
 * added or removed counts at once. Source: spec/oauth-certs-reload.md 4.
 */
import { X509Certificate } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { FindPem } from './wire-basics.ts'

export interface ServerCertificates {
  /** The certificate for a server name; `undefined`: none of them is for it. */
  find(serverName: string): Promise<SecureContext | undefined>
}

interface Usable {
  readonly pem: string
  readonly x509: X509Certificate
  readonly context: SecureContext
}

/** `names` tells ids and files of this moment; those that cannot be used are passed over. */
export function makeServerCertificates(names: () => readonly string[], findPem: FindPem): ServerCertificates {
  const made = new Map<string, Usable | undefined>()
  const usableOf = (pem: string): Usable | undefined => {
    if (!made.has(pem)) {
      // Texts that nobody names any more are let go of now and then.
      if (made.size > 1000) made.clear()
      made.set(pem, makeUsable(pem))
    }
    return made.get(pem)
  }
  return {
    async find(serverName) {
      for (const name of names()) {
        const pem = await findPem(name)
        const usable = pem === undefined ? undefined : usableOf(pem)
        if (usable?.x509.checkHost(serverName) !== undefined) return usable.context
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
