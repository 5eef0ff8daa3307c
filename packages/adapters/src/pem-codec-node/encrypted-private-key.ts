/**
 * Private keys as existing nodes store them: the old encrypted PEM block (RFC 1421 headers, AES-256-CBC, a key made of
 * the password by MD5). It is weak by today's measure and kept because nodes of one cluster share it; the password is
 * the gateway's own secret, not a word. Source: spec/redis-layout.md 11.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { type PemBlock, writePemBlock } from './pem-blocks.ts'

const blockType = 'ENCRYPTED PRIVATE KEY'
const cipher = 'aes-256-cbc'
const ivLength = 16

/** DER of a private key as a block. `iv` is for tests; random by default. */
export function sealKey(der: Uint8Array, password: string, iv: Uint8Array = randomBytes(ivLength)): string {
  const cipherOf = createCipheriv(cipher, deriveKey(password, iv), iv)
  const sealed = Buffer.concat([cipherOf.update(der), cipherOf.final()])
  const info = `DEK-Info: AES-256-CBC,${Buffer.from(iv).toString('hex')}`
  return writePemBlock(blockType, sealed, ['Proc-Type: 4,ENCRYPTED', info])
}

export function isSealedKey({ type, headers }: PemBlock): boolean {
  return type === blockType && headers['dek-info'] !== undefined
}

/** The DER inside; `undefined` when it was sealed with another password, or otherwise. */
export function openKey({ headers, der }: PemBlock, password: string): Uint8Array | undefined {
  const [, hex] = /^AES-256-CBC,([0-9a-f]{32})$/i.exec(headers['dek-info'] ?? '') ?? []
  if (hex === undefined) return undefined
  const iv = Buffer.from(hex, 'hex')
  try {
    const decipher = createDecipheriv(cipher, deriveKey(password, iv), iv)
    return Buffer.concat([decipher.update(der), decipher.final()])
  } catch {
    return undefined
  }
}

/** 32 bytes: MD5 of password and salt, then MD5 of that, password and salt. The salt is the first half of the IV. */
export function deriveKey(password: string, iv: Uint8Array): Uint8Array {
  const salt = iv.subarray(0, 8)
  const first = createHash('md5').update(password).update(salt).digest()
  const second = createHash('md5').update(first).update(password).update(salt).digest()
  return Buffer.concat([first, second])
}
