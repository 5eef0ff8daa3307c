/**
 * Mutual TLS (`use_mutual_tls_auth`): the list of the API or of the gateway must contain the certificate of the client,
 * or the authority that signed it, directly or through the intermediates that the client sends. Applies to keyless APIs too (docs/reference/authentication.md#mutual-tls). The TLS
 * server accepts every client certificate; `2-identify/check-required-proof.ts` checks those that keys are bound to.
 *
 * A certificate is named by its id (organisation and fingerprint) or by a PEM file. This stage keeps no result, so a
 * certificate that was removed from the store is no longer accepted.
 */
import type { GatewayRequest } from '../../http/messages.ts'
import { type Rejection, rejections, reword } from '../../http/rejections.ts'
import { isPromise, type Maybe, when } from '../../lib/maybe.ts'
import type { Certificate, Certificates, NamedCertificate } from '../../ports/certificates.ts'
import type { Millis } from '../../ports/clock.ts'
import type { MakeStage } from '../contract/stage.ts'

export const makeClientCertificate: MakeStage = ({ api, services }) => {
  if (!api.document.useMutualTlsAuth) return null
  const { certificates, settings } = services
  const names = [...(api.document.clientCertificates ?? []), ...(settings.clientCertificates ?? [])]
  return {
    run({ request, startedAt }) {
      return admitCertificate(request, names, certificates, startedAt)
    },
  }
}

type Presented = Partial<Pick<GatewayRequest, 'secure' | 'clientCertificate' | 'clientIntermediates'>>

/** Returns a rejection unless the client presented a valid certificate that is one of these or signed by one of them. */
export function admitCertificate(
  { secure, clientCertificate, clientIntermediates = [] }: Presented,
  names: readonly string[],
  certificates: Certificates | undefined,
  now: Millis,
): Maybe<Rejection | undefined> {
  if (!secure) return rejections.tlsMissing
  if (clientCertificate === undefined) return rejections.clientCertificateMissing
  const shown = certificates?.read(clientCertificate)
  if (shown === undefined) return rejections.clientCertificateMissing
  // Try the entry with this fingerprint first: most often the certificate itself is on the list.
  const itself = names.find((name) => name.endsWith(shown.sha256))
  return when(itself === undefined ? undefined : certificates?.find(itself), (found) => {
    if (found?.certificate?.sha256 === shown.sha256 && shown.allowsClientAuth !== false)
      return rejectOutsideValidity(shown, now)
    return when(findAll(names, certificates), (known) => {
      const chain = () => readAll(clientIntermediates, certificates)
      const isAdmitted =
        shown.allowsClientAuth !== false &&
        (known.some((one) => one.sha256 === shown.sha256 || isSignedBy(shown, one, now)) ||
          (clientIntermediates.length > 0 && hasChain(shown, chain(), known, now)))
      if (isAdmitted) return rejectOutsideValidity(shown, now)
      const message = `Certificate with SHA256 ${shown.sha256} not allowed`
      return reword(rejections.clientCertificateRefused, { message })
    })
  })
}

function rejectOutsideValidity(shown: Certificate, now: Millis): Rejection | undefined {
  return now > shown.notAfter || now < shown.notBefore ? rejections.certificateExpired : undefined
}

/** An authority that is not valid now, or may not sign certificates of clients, does not count. */
function isSignedBy(shown: Certificate, authority: Certificate, now: Millis): boolean {
  const isValid = now >= authority.notBefore && now <= authority.notAfter
  return authority.isCa && isValid && authority.allowsClientAuth !== false && shown.isIssuedBy(authority)
}

/**
 * Whether the intermediates lead from the client's certificate to an authority of the list. Each must be valid now and
 * allow that many authorities below it.
 */
function hasChain(
  shown: Certificate,
  intermediates: readonly Certificate[],
  known: readonly Certificate[],
  now: Millis,
): boolean {
  let below = shown
  for (const [count, authority] of intermediates.entries()) {
    if (authority.maxIntermediates < count || !isSignedBy(below, authority, now)) return false
    const isKnown = known.some(
      (one) => one.sha256 === authority.sha256 || (one.maxIntermediates > count && isSignedBy(authority, one, now)),
    )
    if (isKnown) return true
    below = authority
  }
  return false
}

function readAll(ders: readonly Uint8Array[], certificates: Certificates | undefined): readonly Certificate[] {
  return ders.map((der) => certificates?.read(der)).filter((one) => one !== undefined)
}

/** Returns the certificates that exist; synchronously if every lookup is synchronous. */
function findAll(names: readonly string[], certificates: Certificates | undefined): Maybe<readonly Certificate[]> {
  const found = names.map((name) => certificates?.find(name))
  return found.some((one) => isPromise(one))
    ? Promise.all(found).then(certificatesOf)
    : certificatesOf(found as readonly (NamedCertificate | undefined)[])
}

function certificatesOf(found: readonly (NamedCertificate | undefined)[]): readonly Certificate[] {
  return found.map((one) => one?.certificate).filter((one) => one !== undefined)
}
