import type { PemContents } from '../../ports/pem-codec.ts'

/** An uploaded certificate, decrypted. */
export interface StoredCertificate extends PemContents {
  /** The organisation and the SHA-256 of the first certificate. */
  readonly id: string
}
