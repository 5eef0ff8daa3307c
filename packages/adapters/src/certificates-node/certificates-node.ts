/** Certificates by node:crypto: those that connections hand over, and those that definitions name by id or PEM file. */
import { createPublicKey, X509Certificate } from 'node:crypto'
import {
  type Certificate,
  type Certificates,
  isCertificateId,
  type Maybe,
  type NamedCertificate,
  when,
} from '@turnpike/core'
import { toPublicKey } from '../signatures-node/signatures-node.ts'
import { makePemFiles, type PemFiles } from './pem-files.ts'

export interface NodeCertificatesOptions {
  /** PEM text stored under a certificate's id; `undefined`: none is. Default: nothing is stored. */
  readonly stored?: (id: string) => Maybe<string | undefined>
  /** Where texts of PEM files come from. Default: the disk, looked at again after 10 s. */
  readonly files?: PemFiles
}

/** How many names are remembered with what their text says. */
const mostRead = 2000

/** Ids are looked up in the store, each time; what is no id is read as a file. What a text says is remembered. */
export function makeNodeCertificates(options: NodeCertificatesOptions = {}): Certificates {
  const { stored, files = makePemFiles() } = options
  // By the array that a connection hands over: all its requests bring the same one.
  const shown = new WeakMap<Uint8Array, { readonly certificate: Certificate | undefined }>()
  const read = new Map<string, { readonly text: string; readonly named: NamedCertificate | undefined }>()
  const parse = (name: string, text: string | undefined): NamedCertificate | undefined => {
    if (text === undefined) return undefined
    const known = read.get(name)
    if (known?.text === text) return known.named
    const named = readPem(text)
    if (read.size >= mostRead) read.clear()
    read.set(name, { text, named })
    return named
  }
  return {
    read(der) {
      const known = shown.get(der)
      if (known !== undefined) return known.certificate
      const certificate = readDer(der)
      shown.set(der, { certificate })
      return certificate
    },
    find: (name) => when(isCertificateId(name) ? stored?.(name) : files.read(name), (text) => parse(name, text)),
  } satisfies Certificates
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
  /** Checking a signature takes some 100 µs, and an authority is asked about at every request. */
  private readonly issuers = new WeakMap<NodeCertificate, boolean>()

  constructor(x509: X509Certificate) {
    this.x509 = x509
    this.sha256 = x509.fingerprint256.replaceAll(':', '').toLowerCase()
    this.notBefore = Date.parse(x509.validFrom)
    this.notAfter = Date.parse(x509.validTo)
    this.isCa = x509.ca
  }

  isIssuedBy(issuer: Certificate): boolean {
    if (!(issuer instanceof NodeCertificate) || !issuer.isCa) return false
    let issued = this.issuers.get(issuer)
    if (issued === undefined) {
      issued = this.x509.checkIssued(issuer.x509) && this.x509.verify(issuer.x509.publicKey)
      this.issuers.set(issuer, issued)
    }
    return issued
  }
}

const toCertificate = (x509: X509Certificate): Certificate => new NodeCertificate(x509)
