/** Reads client certificates of connections, and certificates that definitions name by id or PEM file, with node:crypto. */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify, X509Certificate } from 'node:crypto'
import { promisify } from 'node:util'
import { isCertificateId } from '@turnpike/core/auth'
import { type Maybe, when } from '@turnpike/core/lib'
import type { Certificate, Certificates, NamedCertificate, PublicKey, SigningKey } from '@turnpike/core/ports'
import { makePemFiles, type PemFiles } from './pem-files.ts'

export interface NodeCertificatesOptions {
  /** Returns the PEM text of a stored certificate, or `undefined` if it does not exist. Default: nothing is stored. */
  readonly stored?: (id: string) => Maybe<string | undefined>
  /** Reads PEM files. Default: from disk, cached for 10 s. */
  readonly files?: PemFiles
}

/** Maximum number of names whose parsed certificate is cached. */
const maxParsed = 2000

/**
 * Certificate ids are looked up in the store at each call; other names are read as files. Parsed certificates are cached
 * until their text changes.
 */
export function makeNodeCertificates(options: NodeCertificatesOptions = {}): Certificates {
  const { stored, files = makePemFiles() } = options
  // All requests of a connection pass the same array, so it serves as the cache key.
  const byDer = new WeakMap<Uint8Array, { readonly certificate: Certificate | undefined }>()
  const parsed = new Map<string, { readonly text: string; readonly named: NamedCertificate | undefined }>()
  const parse = (name: string, text: string | undefined): NamedCertificate | undefined => {
    if (text === undefined) return undefined
    const known = parsed.get(name)
    if (known?.text === text) return known.named
    const named = readPem(text)
    if (parsed.size >= maxParsed) parsed.clear()
    parsed.set(name, { text, named })
    return named
  }
  return {
    read(der) {
      const known = byDer.get(der)
      if (known !== undefined) return known.certificate
      const certificate = readDer(der)
      byDer.set(der, { certificate })
      return certificate
    },
    find: (name) => when(isCertificateId(name) ? stored?.(name) : files.read(name), (text) => parse(name, text)),
  } satisfies Certificates
}

/** Parses the first certificate of a PEM text, or its public key. */
function readPem(text: string): NamedCertificate | undefined {
  try {
    if (!text.includes('-----BEGIN CERTIFICATE-----')) {
      if (text.includes('PRIVATE KEY-----')) return undefined
      return { certificate: undefined, publicKey: toPublicKey(createPublicKey(text)) }
    }
    const x509 = new X509Certificate(text)
    return {
      certificate: new NodeCertificate(x509),
      publicKey: toPublicKey(x509.publicKey),
      signingKey: text.includes('PRIVATE KEY-----') ? toSigningKey(text) : undefined,
    }
  } catch {
    return undefined
  }
}

function toPublicKey(key: KeyObject): PublicKey | undefined {
  if (key.asymmetricKeyType !== 'rsa') return undefined
  return { verify: (data, signature) => verify('sha256', data, key, signature) }
}

/** With a callback, node:crypto signs in its thread pool: an RSA signature would block the event loop for about 1 ms. */
const signInPool = promisify(sign)

function toSigningKey(pem: string): SigningKey | undefined {
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyType !== 'rsa') return undefined
  return { sign: async (data) => new Uint8Array(await signInPool('sha256', data, key)) }
}

function readDer(der: Uint8Array): Certificate | undefined {
  try {
    return new NodeCertificate(new X509Certificate(der))
  } catch {
    return undefined
  }
}

/** Object identifiers of extensions in DER: basicConstraints and nameConstraints. */
const basicConstraints = Buffer.from('0603551d13', 'hex')
const nameConstraints = Buffer.from('0603551d1e', 'hex')
/** The value of basicConstraints with a path length: critical, octets, sequence, cA, the length in one byte. */
const withPathLength = /^(?:0101ff)?04..30..0101ff0201(..)/

/** node:crypto does not return these extensions, so they are read from the DER form. */
function maxIntermediatesOf({ raw }: X509Certificate): number {
  if (raw.includes(nameConstraints)) return -1
  const at = raw.lastIndexOf(basicConstraints)
  if (at === -1) return Number.POSITIVE_INFINITY
  const value = raw.subarray(at + basicConstraints.length, at + basicConstraints.length + 16).toString('hex')
  const length = withPathLength.exec(value)?.[1]
  return length === undefined ? Number.POSITIVE_INFINITY : Number.parseInt(length, 16)
}

/** `clientAuth` and `anyExtendedKeyUsage` (RFC 5280 section 4.2.1.12). */
const clientUsages: readonly string[] = ['1.3.6.1.5.5.7.3.2', '2.5.29.37.0']

class NodeCertificate implements Certificate {
  readonly sha256: string
  readonly notBefore: number
  readonly notAfter: number
  readonly isCa: boolean
  readonly allowsClientAuth: boolean
  readonly maxIntermediates: number
  readonly x509: X509Certificate
  /** Caches signature checks, which take about 100 µs, because each request checks the same authorities. */
  private readonly issuers = new WeakMap<NodeCertificate, boolean>()

  constructor(x509: X509Certificate) {
    this.x509 = x509
    this.sha256 = x509.fingerprint256.replaceAll(':', '').toLowerCase()
    this.notBefore = Date.parse(x509.validFrom)
    this.notAfter = Date.parse(x509.validTo)
    this.isCa = x509.ca
    // The types miss that a certificate without extended key usage has none.
    const usages: readonly string[] | undefined = x509.keyUsage
    this.allowsClientAuth = usages === undefined || usages.some((usage) => clientUsages.includes(usage))
    this.maxIntermediates = maxIntermediatesOf(x509)
  }

  isIssuedBy(issuer: Certificate): boolean {
    if (!(issuer instanceof NodeCertificate) || !issuer.isCa) return false
    let issued = this.issuers.get(issuer)
    if (issued === undefined) {
      // OpenSSL also checks that a key usage of the issuer contains `keyCertSign`.
      issued = this.x509.checkIssued(issuer.x509) && this.x509.verify(issuer.x509.publicKey)
      this.issuers.set(issuer, issued)
    }
    return issued
  }
}
