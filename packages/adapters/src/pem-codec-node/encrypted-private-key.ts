/**
 * Private keys in the storage format of existing nodes: an encrypted PEM block with RFC 1421 headers, AES-256-CBC, and a
 * key derived from the password with MD5. The format is weak by current standards, but all nodes of a cluster must share
 * it. The password is a secret of the gateway, not chosen by users. Source:
 * docs/reference/redis-records.md#stored-certificates.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { type PemBlock, writePemBlock } from './pem-blocks.ts'

const blockType = 'ENCRYPTED PRIVATE KEY'
const cipher = 'aes-256-cbc'
const ivLength = 16

/** Encrypts a private key in DER to a PEM block. `iv` is random by default; tests set it. */
export function encryptPrivateKey(der: Uint8Array, password: string, iv: Uint8Array = randomBytes(ivLength)): string {
  const encryption = createCipheriv(cipher, deriveKey(password, iv), iv)
  const encrypted = Buffer.concat([encryption.update(der), encryption.final()])
  const info = `DEK-Info: AES-256-CBC,${Buffer.from(iv).toString('hex')}`
  return writePemBlock(blockType, encrypted, ['Proc-Type: 4,ENCRYPTED', info])
}

export function isEncryptedPrivateKey({ type, headers }: PemBlock): boolean {
  return type === blockType && headers['dek-info'] !== undefined
}

/** Returns the private key in DER, or `undefined` if the password or the format is wrong. */
export function decryptPrivateKey({ headers, der }: PemBlock, password: string): Uint8Array | undefined {
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

/** Returns `md5(password + salt)` followed by `md5(first + password + salt)`. The salt is the first half of the IV. */
export function deriveKey(password: string, iv: Uint8Array): Uint8Array {
  const salt = iv.subarray(0, 8)
  const first = createHash('md5').update(password).update(salt).digest()
  const second = createHash('md5').update(first).update(password).update(salt).digest()
  return Buffer.concat([first, second])
}
