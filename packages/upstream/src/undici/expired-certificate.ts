/**
 * Names the certificate in the error of an upstream whose certificate has expired, for the access log. Node closes the
 * socket before it reports the error, so the certificate is read in `secure`, which precedes the verification by Node.
 */
import type { Socket } from 'node:net'
import { type PeerCertificate, TLSSocket } from 'node:tls'
import type { buildConnector } from 'undici'
import { ExpiredCertificateError } from '../shared/upstream-errors.ts'

type Callback = (error: Error | null, socket: Socket | null) => void

/** `buildConnector` returns the socket that it connects, which its types do not say. */
type ConnectorWithSocket = (options: buildConnector.Options, callback: Callback) => unknown

export function namingExpiredCertificates(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) => {
    let expired: ExpiredCertificateError | undefined
    const socket = (connect as ConnectorWithSocket)(options, (error, connected) => {
      const isExpired = (error as { code?: unknown } | null)?.code === 'CERT_HAS_EXPIRED'
      ;(callback as Callback)(isExpired && expired !== undefined ? expired : error, connected)
    })
    if (!(socket instanceof TLSSocket)) return
    socket.prependListener('secure', () => {
      // Not `getPeerX509Certificate`, which returns the certificate of a connection only once (Node 20); pinned keys need it.
      const { subject, valid_to } = socket.getPeerCertificate()
      const expiredAt = Date.parse(valid_to)
      if (expiredAt < Date.now()) expired = new ExpiredCertificateError({ subject: subjectText(subject), expiredAt })
    })
  }
}

/** RFC 4514: the most specific attribute first, special characters escaped. */
function subjectText(subject: PeerCertificate['subject']): string {
  return Object.entries(subject)
    .flatMap(([name, values]) => [values].flat().map((value) => `${name}=${value?.replace(/[,+"\\<>;]/g, '\\$&')}`))
    .reverse()
    .join(',')
}
