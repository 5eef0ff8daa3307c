/** Public keys and the signatures they check: RSA and elliptic curves want an implementation that the platform brings. */

/** Names of RFC 7518, 3.1. `none` and shared secrets are no matter of public keys. */
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

/** A key as somebody gave it. */
export type KeyMaterial =
  /** A public key (SPKI or PKCS#1) or a certificate, in PEM. */
  | { readonly kind: 'pem'; readonly text: string }
  /** A JSON web key (RFC 7517), as it came: untrusted. */
  | { readonly kind: 'jwk'; readonly jwk: Readonly<Record<string, unknown>> }

export interface PublicKey {
  readonly family: 'rsa' | 'ecdsa'
  /**
   * Whether the signature over these bytes was made with the other half of this key by this algorithm. `false` for
   * an algorithm of another family or curve, and for malformed signatures; never throws.
   */
  verify(algorithm: PublicKeyAlgorithm, data: Uint8Array, signature: Uint8Array): boolean
}

export interface Signatures {
  /** `undefined` when it is no public key of a known family. */
  readKey(material: KeyMaterial): PublicKey | undefined
}
