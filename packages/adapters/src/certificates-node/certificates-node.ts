/** Certificates by node:crypto: those that connections hand over, and those in PEM files that definitions name. */
import { createPublicKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Certificate, Certificates, NamedCertificate } from '@turnpike/core'
import { toPublicKey } from '../signatures-node/signatures-node.ts'

export interface NodeCertificatesOptions {
  /** PEM text stored under a certificate's id; `undefined`: none is. Default: nothing is stored. */
  readonly stored?: (id: string) => Promise<string | undefined> | string | undefined
}

/** Longest PEM file that is read, bytes. */
const longestFile = 1024 * 1024

/** Ids are looked up in the store; what looks like a path is read as a file. */
export function makeNodeCertificates(options: NodeCertificatesOptions = {}): Certificates {
  // By the array that a connection hands over: all its requests bring the same one.
  const read = new WeakMap<Uint8Array, { readonly certificate: Certificate | undefined }>()
  return {
    read(der) {
      const known = read.get(der)
      if (known !== undefined) return known.certificate
      const certificate = readDer(der)
      read.set(der, { certificate })
      return certificate
    },
    async find(idOrPath) {
      const text = isPath(idOrPath) ? await readPemFile(idOrPath) : await options.stored?.(idOrPath)
      return text === undefined ? undefined : readPem(text)
    },
  } satisfies Certificates
}

/** An id is letters and digits; a path has a separator or an extension. */
function isPath(text: string): boolean {
  return /[/\\.]/.test(text)
}

async function readPemFile(path: string): Promise<string | undefined> {
  try {
    const text = await readFile(path, 'utf8')
    return text.length > longestFile ? undefined : text
  } catch {
    return undefined
  }
}

/** The first certificate of a PEM text, or its public key. */
function readPem(text: string): NamedCertificate | undefined {
  try {
    if (!text.includes('-----BEGIN CERTIFICATE-----')) {
      if (text.includes('PRIVATE KEY-----')) return undefined
      return { certificate: undefined, publicKey: toPublicKey(createPublicKey(text)) }
    }
    const x509 = new X509Certificate(text)
    return { certificate: toCertificate(x509), publicKey: toPublicKey(x509.publicKey) }
  } catch {
    return undefined
  }
}

function readDer(der: Uint8Array): Certificate | undefined {
  try {
    return toCertificate(new X509Certificate(der))
  } catch {
    return undefined
  }
}

class NodeCertificate implements Certificate {
  readonly sha256: string
  readonly notBefore: number
  readonly notAfter: number
  readonly isCa: boolean
  readonly x509: X509Certificate

  constructor(x509: X509Certificate) {
    this.x509 = x509
    this.sha256 = x509.fingerprint256.replaceAll(':', '').toLowerCase()
    this.notBefore = Date.parse(x509.validFrom)
    this.notAfter = Date.parse(x509.validTo)
    this.isCa = x509.ca
  }

  isIssuedBy(issuer: Certificate): boolean {
    if (!(issuer instanceof NodeCertificate) || !issuer.isCa) return false
    return this.x509.checkIssued(issuer.x509) && this.x509.verify(issuer.x509.publicKey)
  }
}

const toCertificate = (x509: X509Certificate): Certificate => new NodeCertificate(x509)
