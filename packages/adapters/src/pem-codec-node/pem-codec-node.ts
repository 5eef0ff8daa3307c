/**
 * Validates uploaded PEM texts, encrypts them for storage and decrypts stored ones, with node:crypto. Existing clients
 * depend on the error messages. Source: docs/reference/certificates.md#pem-uploads,
 * docs/reference/redis-records.md#stored-certificates.
 */
import { createPrivateKey, createPublicKey, hash, type KeyObject, X509Certificate } from 'node:crypto'
import type { PemCodec, PemContents } from '@turnpike/core/ports'
import { detailsOf } from './certificate-details.ts'
import { decryptPrivateKey, encryptPrivateKey, isEncryptedPrivateKey } from './encrypted-private-key.ts'
import { type PemBlock, readPemBlocks, writePemBlock } from './pem-blocks.ts'

export interface NodePemCodecOptions {
  /** `security.private_certificate_encoding_secret`, or else the management key. All nodes of a store must use the same. */
  readonly secret: string
}

interface BlocksByType {
  readonly certificates: readonly PemBlock[]
  readonly publicKeys: readonly PemBlock[]
  readonly privateKeys: readonly PemBlock[]
}

/** An invalid text. It is returned, never thrown. */
interface InvalidPem {
  readonly problem: string
}

const undecodable: InvalidPem = { problem: 'Failed to decode certificate. It should be PEM encoded.' }
const unreadableKey: InvalidPem = { problem: 'tls: failed to parse private key' }
const otherKey: InvalidPem = { problem: 'tls: private key does not match public key' }
const twoKeys: InvalidPem = { problem: 'Found multiple private keys' }
const mixed: InvalidPem = { problem: "Public keys can't be combined with certificates" }

export function makeNodePemCodec({ secret }: NodePemCodecOptions): PemCodec {
  return {
    read: (text) => contentsOf(byType(readPemBlocks(text).filter((block) => !isEncryptedPrivateKey(block)))),
    seal({ pem }) {
      return readPemBlocks(pem)
        .map((block) =>
          isPrivate(block) ? encryptPrivateKey(block.der, secret) : writePemBlock(block.type, block.der),
        )
        .join('\n')
    },
    open(stored) {
      const blocks: PemBlock[] = []
      for (const block of readPemBlocks(stored)) {
        const decrypted = isEncryptedPrivateKey(block) ? decryptBlock(block, secret) : block
        if (decrypted === undefined) return undefined
        blocks.push(decrypted)
      }
      const contents = contentsOf(byType(blocks))
      return 'problem' in contents ? undefined : contents
    },
  } satisfies PemCodec
}

const isPrivate = ({ type }: PemBlock) => type.endsWith('PRIVATE KEY')

function byType(blocks: readonly PemBlock[]): BlocksByType {
  return {
    certificates: blocks.filter(({ type }) => type === 'CERTIFICATE'),
    publicKeys: blocks.filter(({ type }) => type === 'PUBLIC KEY'),
    privateKeys: blocks.filter(isPrivate),
  }
}

function contentsOf({ certificates, publicKeys, privateKeys }: BlocksByType): PemContents | InvalidPem {
  if (privateKeys.length > 1) return twoKeys
  if (publicKeys.length > 0 && certificates.length + privateKeys.length > 0) return mixed
  const [publicKey] = publicKeys
  if (publicKey !== undefined) return publicKeyContents(publicKey)
  const read = certificates.map(readCertificate)
  const [first] = read
  if (first === undefined || read.includes(undefined)) return undecodable
  const key = privateKeys[0] === undefined ? undefined : readPrivateKey(privateKeys[0])
  if (privateKeys.length > 0 && key === undefined) return unreadableKey
  if (key !== undefined && !first.checkPrivateKey(key)) return otherKey
  return {
    sha256: hash('sha256', first.raw),
    details: detailsOf(first),
    hasPrivateKey: key !== undefined,
    pem: [...certificates, ...privateKeys].map(({ type, der }) => writePemBlock(type, der)).join(''),
  }
}

function publicKeyContents({ type, der }: PemBlock): PemContents | InvalidPem {
  try {
    createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' })
  } catch {
    return undecodable
  }
  return { sha256: hash('sha256', der), details: undefined, hasPrivateKey: false, pem: writePemBlock(type, der) }
}

function readCertificate({ der }: PemBlock): X509Certificate | undefined {
  try {
    return new X509Certificate(der)
  } catch {
    return undefined
  }
}

/** Tries all key types, because encrypting a key for storage loses the type of its block. */
function readPrivateKey({ der }: PemBlock): KeyObject | undefined {
  return keyTypes.map(({ type }) => tryKey(der, type)).find((key) => key !== undefined)
}

const keyTypes = [
  { type: 'pkcs8', label: 'PRIVATE KEY' },
  { type: 'pkcs1', label: 'RSA PRIVATE KEY' },
  { type: 'sec1', label: 'EC PRIVATE KEY' },
] as const

function tryKey(der: Uint8Array, type: (typeof keyTypes)[number]['type']): KeyObject | undefined {
  try {
    return createPrivateKey({ key: Buffer.from(der), format: 'der', type })
  } catch {
    return undefined
  }
}

function decryptBlock(block: PemBlock, secret: string): PemBlock | undefined {
  const der = decryptPrivateKey(block, secret)
  const kind = der === undefined ? undefined : keyTypes.find(({ type }) => tryKey(der, type) !== undefined)
  return der === undefined || kind === undefined ? undefined : { type: kind.label, headers: {}, der }
}
