/** JSON web tokens (RFC 7519): parsing and verification, implemented by the platform. */

/** The families of signing algorithms (RFC 7518 section 3.1) that an API can require. */
export type TokenFamily = 'hmac' | 'rsa' | 'ecdsa'

export interface ParsedToken {
  /** As sent. */
  readonly text: string
  /** Family of the algorithm in the header. `other`: an algorithm that is never accepted, such as `none`. */
  readonly family: TokenFamily | 'other' | 'unknown'
  /** Key id in the header; `undefined` if it is missing. */
  readonly kid: string | undefined
  /** Untrusted until a key verifies the token. Read only its own properties. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** An encoded key of a token issuer. */
export type TokenKeyMaterial =
  | { readonly kind: 'secret'; readonly bytes: Uint8Array }
  /** A public key (SPKI or PKCS#1) or a certificate, in PEM. */
  | { readonly kind: 'pem'; readonly text: string }
  /** A JSON web key (RFC 7517) with a public key or a secret (`oct`); untrusted. */
  | { readonly kind: 'jwk'; readonly jwk: Readonly<Record<string, unknown>> }

export interface TokenKey {
  /** A secret has the family `hmac`, so a public key never serves as a secret. */
  readonly family: TokenFamily
  /**
   * Whether the token's signature was made with this key by an algorithm of its family. Does not check the times. Returns
   * false for malformed tokens; never throws.
   */
  verifies(token: ParsedToken): boolean
}

export interface TokenVerifier {
  /**
   * Returns `undefined` if the text is not a signed token in its canonical encoding, or has a `crit` header: no
   * extension is supported, and a token with an unsupported one must be rejected (RFC 7515 section 4.1.11).
   */
  parse(text: string): ParsedToken | undefined
  /** Returns `undefined` if the key is invalid or of an unknown kind, such as an empty secret. */
  readKey(material: TokenKeyMaterial): TokenKey | undefined
}
