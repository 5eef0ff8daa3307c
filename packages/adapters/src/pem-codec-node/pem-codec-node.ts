/**
 * PEM texts by node:crypto: what may be uploaded, and how it is stored. Source: spec/oauth-certs-reload.md 4,
 * spec/redis-layout.md 11. The words of refusals are those that clients of existing gateways know.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import type { PemCodec, PemContents } from '@turnpike/core'
import { detailsOf } from './certificate-details.ts'
import { isSealedKey, openKey, sealKey } from './encrypted-private-key.ts'
import { type PemBlock, readPemBlocks, writePemBlock } from './pem-blocks.ts'

export interface NodePemCodecOptions {
  /** `security.private_certificate_encoding_secret`, else the management key; the same on all nodes of a store. */
  readonly secret: string
}

interface Sorted {
  readonly certificates: readonly PemBlock[]
  readonly publicKeys: readonly PemBlock[]
  readonly privateKeys: readonly PemBlock[]
}

/** Why a text is not taken; a value, never thrown. */
interface Refused {
  readonly problem: string
}

const undecodable: Refused = { problem: 'Failed to decode certificate. It should be PEM encoded.' }
const unreadableKey: Refused = { problem: 'tls: failed to parse private key' }
const otherKey: Refused = { problem: 'tls: private key does not match public key' }
const twoKeys: Refused = { problem: 'Found multiple private keys' }
const mixed: Refused = { problem: "Public keys can't be combined with certificates" }

export function makeNodePemCodec({ secret }: NodePemCodecOptions): PemCodec {
  return {
    read: (text) => contentsOf(sort(readPemBlocks(text).filter((block) => !isSealedKey(block)))),
    seal({ pem }) {
      return readPemBlocks(pem)
        .map((block) => (isPrivate(block) ? sealKey(block.der, secret) : writePemBlock(block.type, block.der)))
        .join('\n')
    },
    open(stored) {
      const blocks: PemBlock[] = []
      for (const block of readPemBlocks(stored)) {
        const opened = isSealedKey(block) ? opening(block, secret) : block
        if (opened === undefined) return undefined
        blocks.push(opened)
      }
      const contents = contentsOf(sort(blocks))
      return 'problem' in contents ? undefined : contents
    },
  } satisfies PemCodec
}

const isPrivate = ({ type }: PemBlock) => type.endsWith('PRIVATE KEY')

function sort(blocks: readonly PemBlock[]): Sorted {
  return {
    certificates: blocks.filter(({ type }) => type === 'CERTIFICATE'),
    publicKeys: blocks.filter(({ type }) => type === 'PUBLIC KEY'),
    privateKeys: blocks.filter(isPrivate),
  }
}

function contentsOf({ certificates, publicKeys, privateKeys }: Sorted): PemContents | Refused {
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
    sha256: sha256(first.raw),
    details: detailsOf(first),
    hasPrivateKey: key !== undefined,
    pem: [...certificates, ...privateKeys].map(({ type, der }) => writePemBlock(type, der)).join(''),
  }
}

function publicKeyContents({ type, der }: PemBlock): PemContents | Refused {
  try {
    createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' })
  } catch {
    return undecodable
  }
  return { sha256: sha256(der), details: undefined, hasPrivateKey: false, pem: writePemBlock(type, der) }
}

function readCertificate({ der }: PemBlock): X509Certificate | undefined {
  try {
    return new X509Certificate(der)
  } catch {
    return undefined
  }
}

/** The block's type is not trusted: keys that were stored sealed have lost theirs. */
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

function opening(block: PemBlock, secret: string): PemBlock | undefined {
  const der = openKey(block, secret)
  const kind = der === undefined ? undefined : keyTypes.find(({ type }) => tryKey(der, type) !== undefined)
  return der === undefined || kind === undefined ? undefined : { type: kind.label, headers: {}, der }
}

function sha256(der: Uint8Array): string {
  return createHash('sha256').update(der).digest('hex')
}
