/** Reads PEM texts that operators upload, and writes them as they are stored. */
import type { Millis } from './clock.ts'

/** A subject or an issuer: its attributes by their RFC 4519 short names (`CN`, `O`, `C`…), in their order. */
export type DistinguishedName = readonly { readonly type: string; readonly value: string }[]

export interface CertificateDetails {
  readonly subject: DistinguishedName
  readonly issuer: DistinguishedName
  readonly notBefore: Millis
  readonly notAfter: Millis
  readonly dnsNames: readonly string[]
  readonly isCa: boolean
}

/** What a PEM text holds: certificates, perhaps with a private key, or a lone public key. */
export interface PemContents {
  /** Lower-case hex SHA-256 of the first certificate's DER, or of the public key's. */
  readonly sha256: string
  /** Of the first certificate; `undefined` for a lone public key. */
  readonly details: CertificateDetails | undefined
  readonly hasPrivateKey: boolean
  /** Certificates or public key, then the private key in the clear: secret where there is one, never logged. */
  readonly pem: string
}

export interface PemCodec {
  /** What an uploaded text holds, or why it is not taken, in the words that the client is told. */
  read(text: string): PemContents | { readonly problem: string }
  /** As it is stored: the private key encrypted with the gateway's secret. */
  seal(contents: PemContents): string
  /** What was stored; `undefined`: damaged, or sealed with another secret. */
  open(stored: string): PemContents | undefined
}
