/** Client certificates and the certificates that operators configure. */
import type { Maybe } from '../lib/maybe.ts'
import type { Millis } from './clock.ts'

export interface Certificate {
  /** Lower-case hex SHA-256 of its DER. */
  readonly sha256: string
  readonly notBefore: Millis
  readonly notAfter: Millis
  /** Whether this is an authority. An implementation's `isIssuedBy` also requires `keyCertSign` in a key usage. */
  readonly isCa: boolean
  /** Whether the extended key usage, if there is one, names `clientAuth`. Default: true. */
  readonly allowsClientAuth?: boolean
  /**
   * How many authorities may be between this authority and the certificate of a client (RFC 5280 section 4.2.1.9); Infinity
   * without a limit. -1 if the certificate limits names, which is not checked.
   */
  readonly maxIntermediates: number
  /** Whether the issuer signed this certificate: the names match and the signature is valid. */
  isIssuedBy(issuer: Certificate): boolean
}

/** An RSA key that verifies request signatures. */
export interface PublicKey {
  /** Whether this is an RSA signature (PKCS #1 v1.5) over the SHA-256 of these bytes; never throws. */
  verify(data: Uint8Array, signature: Uint8Array): boolean
}

/** An RSA key that signs requests. */
export interface SigningKey {
  /** Returns the RSA signature (PKCS #1 v1.5) over the SHA-256 of these bytes. */
  sign(data: Uint8Array): Promise<Uint8Array>
}

/** The contents behind a certificate id or file path. */
export interface NamedCertificate {
  /** `undefined` for a bare public key. */
  readonly certificate: Certificate | undefined
  /** `undefined` for a kind of key that cannot verify request signatures. */
  readonly publicKey: PublicKey | undefined
  /** The private key stored with the certificate; absent if there is none, or no RSA key. */
  readonly signingKey?: SigningKey | undefined
}

export interface Certificates {
  /** Parses the DER certificate of a connection; `undefined` if it is invalid. */
  read(der: Uint8Array): Certificate | undefined
  /** The certificate stored under the id, or in the PEM file at that path; `undefined` if it does not exist. */
  find(idOrPath: string): Maybe<NamedCertificate | undefined>
}
