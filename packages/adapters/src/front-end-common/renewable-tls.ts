/** TLS options whose certificate can be replaced while the server runs. */
import type { Server as NetServer } from 'node:net'
import { type SecureContextOptions, Server, type TlsOptions } from 'node:tls'

export interface RenewableTlsOptions extends TlsOptions {
  /**
   * Calls the function with each new certificate for clients that send no server name. Returns a function that ends the
   * subscription. Default: the certificate stays.
   */
  readonly renewals?: (renew: (options: SecureContextOptions) => void) => () => void
}

/** Uses new certificates for later handshakes; open connections stay. Call the returned function when the server closes. */
export function followRenewals(server: NetServer, tls: RenewableTlsOptions | undefined): () => void {
  if (!(server instanceof Server) || tls?.renewals === undefined) return () => {}
  return tls.renewals((options) => server.setSecureContext(options))
}
