/** The options that say which certificate of a gateway is trusted. */
import type { CertificateCheck } from '@turnpike/exchange'
import { JudgeInputError, readInputFile } from '../judge-input.ts'

export interface CertificateOptions {
  /** File with certificates of authorities in PEM format, which are trusted instead of those of Node. */
  readonly caFile?: string | undefined
  /** Accepts any certificate. Default false. */
  readonly insecure?: boolean | undefined
}

/** Reads the file. Throws a `JudgeInputError` if it has no certificate, or if both options are given. */
export function readCertificateCheck({ caFile, insecure }: CertificateOptions): CertificateCheck {
  if (caFile === undefined) return insecure === true ? { acceptsAnyCertificate: true } : {}
  if (insecure === true)
    throw new JudgeInputError('--insecure accepts any certificate, so --cacert has no effect; remove one')
  const ca = readInputFile(caFile)
  if (!ca.includes('-----BEGIN CERTIFICATE-----'))
    throw new JudgeInputError(
      `${caFile} has no certificate in PEM format, which begins with -----BEGIN CERTIFICATE-----`,
    )
  return { ca }
}

/** Arguments for curl with the same effect, each quoted for bash by `quote`. */
export function curlCertificateArguments(
  { caFile, insecure }: CertificateOptions,
  quote: (text: string) => string,
): readonly string[] {
  if (insecure === true) return ['-k']
  return caFile === undefined ? [] : [`--cacert ${quote(caFile)}`]
}

/** Adds to the message of a failed connection how to trust the certificate, if that is the reason. */
export function withCertificateHint(message: string): string {
  const isUntrusted = /self.signed certificate|unable to (get|verify)|certificate has expired|altnames/i.test(message)
  return isUntrusted ? `${message}; name its authority with --cacert FILE, or add --insecure` : message
}
