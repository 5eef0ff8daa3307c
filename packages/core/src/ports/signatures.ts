/** Public-key signatures (RSA and elliptic curves), implemented by the platform. */

/** Public-key algorithms of RFC 7518 section 3.1. */
export const publicKeyAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
] as const
export type PublicKeyAlgorithm = (typeof publicKeyAlgorithms)[number]

/** An encoded public key. */
export type KeyMaterial =
  /** A public key (SPKI or PKCS#1) or a certificate, in PEM. */
  | { readonly kind: 'pem'; readonly text: string }
  /** A JSON web key (RFC 7517); untrusted. */
  | { readonly kind: 'jwk'; readonly jwk: Readonly<Record<string, unknown>> }

export interface PublicKey {
  readonly family: 'rsa' | 'ecdsa'
  /**
   * Whether the signature over these bytes was made with the private key and this algorithm. Returns false for an
   * algorithm of another family or curve and for malformed signatures; never throws.
   */
  verify(algorithm: PublicKeyAlgorithm, data: Uint8Array, signature: Uint8Array): boolean
}

export interface Signatures {
  /** Parses a public key; `undefined` if it is invalid or of an unknown family. */
  readKey(material: KeyMaterial): PublicKey | undefined
}
