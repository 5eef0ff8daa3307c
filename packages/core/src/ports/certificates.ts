/** Certificates: what a client showed, and those that an operator named. */
import type { Maybe } from '../lib/maybe.ts'
import type { Millis } from './clock.ts'
import type { PublicKey } from './signatures.ts'

export interface Certificate {
  /** Lower-case hex SHA-256 of its DER. */
  readonly sha256: string
  readonly notBefore: Millis
  readonly notAfter: Millis
  readonly isCa: boolean
  /** Whether the other certificate signed this one: names fit, the signature is right. */
  isIssuedBy(issuer: Certificate): boolean
}

/** What an id or a file path stands for. */
export interface NamedCertificate {
  /** `undefined` for a bare public key. */
  readonly certificate: Certificate | undefined
  /** `undefined` for a kind of key that signs no requests. */
  readonly publicKey: PublicKey | undefined
}

export interface Certificates {
  /** A certificate in DER, as a connection hands it over; `undefined` when it cannot be read. */
  read(der: Uint8Array): Certificate | undefined
  /** The certificate stored under the id, or in the PEM file of that path; `undefined`: there is none. */
  find(idOrPath: string): Maybe<NamedCertificate | undefined>
}
