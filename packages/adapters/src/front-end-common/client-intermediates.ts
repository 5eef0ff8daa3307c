/**
 * The certificates that a client sends beside its own. A resumed TLS session has the client's certificate without them
 * (OpenSSL keeps only that one in the session), so those of the full handshake are remembered.
 */
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls'

/** A client can send many certificates; real chains have one or two between the leaf and the root. */
const maxIntermediates = 8
/** Longest chain that is remembered, in bytes. With the number of chains it limits the memory to 32 MiB. */
const maxRememberedBytes = 8192
const maxRemembered = 4096

/** By the SHA-256 of the client's certificate; the oldest one comes first. */
const remembered = new Map<string, readonly Uint8Array[]>()

/** In DER form, from the issuer of the client's certificate upwards. */
export function intermediatesOf(socket: TLSSocket): readonly Uint8Array[] {
  const own = socket.getPeerCertificate(true)
  if (own.raw === undefined) return []
  if (socket.isSessionReused()) return remembered.get(own.fingerprint256) ?? []
  const chain = issuersOf(own)
  const size = chain.reduce((sum, { length }) => sum + length, 0)
  if (chain.length > 0 && size <= maxRememberedBytes) remember(own.fingerprint256, chain)
  return chain
}

function issuersOf(own: DetailedPeerCertificate): Uint8Array[] {
  const issuers: Uint8Array[] = []
  let last = own
  // The issuer of a self-signed certificate is itself.
  while (issuers.length < maxIntermediates && last.issuerCertificate !== undefined && last.issuerCertificate !== last) {
    last = last.issuerCertificate
    if (last.raw !== undefined) issuers.push(new Uint8Array(last.raw))
  }
  return issuers
}

function remember(fingerprint: string, chain: readonly Uint8Array[]): void {
  remembered.delete(fingerprint)
  if (remembered.size >= maxRemembered) remembered.delete(remembered.keys().next().value as string)
  remembered.set(fingerprint, chain)
}
