/** Parses uploaded PEM texts and encodes them for the store. */
import type { Millis } from './clock.ts'

/** A subject or an issuer: its attributes by their RFC 4519 short names (`CN`, `O`, `C`…), in order. */
export type DistinguishedName = readonly { readonly type: string; readonly value: string }[]

export interface CertificateDetails {
  readonly subject: DistinguishedName
  readonly issuer: DistinguishedName
  readonly notBefore: Millis
  readonly notAfter: Millis
  readonly dnsNames: readonly string[]
  readonly isCa: boolean
}

/** Contents of a PEM text: certificates with an optional private key, or a single public key. */
export interface PemContents {
  /** Lower-case hex SHA-256 of the first certificate's DER, or of the public key's. */
  readonly sha256: string
  /** Details of the first certificate; `undefined` for a single public key. */
  readonly details: CertificateDetails | undefined
  readonly hasPrivateKey: boolean
  /** Certificates or public key, then the unencrypted private key. Secret; never logged. */
  readonly pem: string
}

export interface PemCodec {
  /** Parses an uploaded text. `problem` is an error message for the client. */
  read(text: string): PemContents | { readonly problem: string }
  /** Encodes for the store; encrypts the private key with the gateway's secret. */
  seal(contents: PemContents): string
  /** Decodes from the store; `undefined` if the text is damaged or was encrypted with another secret. */
  open(stored: string): PemContents | undefined
}
