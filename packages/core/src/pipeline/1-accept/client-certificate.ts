/**
 * Mutual TLS (`use_mutual_tls_auth`): the connection must show a certificate that the API admits, itself or by the
 * authority that signed it; keyless APIs too. Source: spec/oauth-certs-reload.md 3.4.
 *
 * A certificate is named by its id (organisation and fingerprint) or by a PEM file. It must be there when the request
 * comes: one that was removed from the store admits nobody any more. Those who keep certificates answer at once, so
 * that nothing is kept here.
 */
import { type Rejection, rejections, reword } from '../../http/errors.ts'
import { isPromise, type Maybe, when } from '../../lib/maybe.ts'
import type { Certificate, Certificates, NamedCertificate } from '../../ports/certificates.ts'
import type { Millis } from '../../ports/clock.ts'
import type { MakeStage } from '../contract/stage.ts'

export const makeClientCertificate: MakeStage = ({ api, services }) => {
  if (!api.document.useMutualTlsAuth) return null
  const { certificates, settings } = services
  const names = [...(api.document.clientCertificates ?? []), ...(settings.clientCertificates ?? [])]
  return {
    name: 'client-certificate',
    phase: '1-accept',
    run({ request, startedAt }) {
      return admitCertificate(request, names, certificates, startedAt)
    },
  }
}

/** Whether a request's connection showed one of these certificates, or one that they signed; else why not. */
export function admitCertificate(
  { secure, clientCertificate }: { readonly secure?: boolean; readonly clientCertificate?: Uint8Array | undefined },
  names: readonly string[],
  certificates: Certificates | undefined,
  now: Millis,
): Maybe<Rejection | undefined> {
  if (!secure) return rejections.tlsMissing
  if (clientCertificate === undefined) return rejections.clientCertificateMissing
  const shown = certificates?.read(clientCertificate)
  if (shown === undefined) return rejections.clientCertificateMissing
  // The one that is named like it is looked at first: most often it is itself on the list.
  const itself = names.find((name) => name.endsWith(shown.sha256))
  return when(itself === undefined ? undefined : certificates?.find(itself), (found) => {
    if (found?.certificate?.sha256 === shown.sha256) return expired(shown, now)
    return when(findAll(names, certificates), (known) => {
      const isAdmitted = known.some((one) => one.sha256 === shown.sha256 || isSignedBy(shown, one, now))
      return isAdmitted ? expired(shown, now) : refusalOf(shown)
    })
  })
}

function expired(shown: Certificate, now: Millis): Rejection | undefined {
  return now > shown.notAfter || now < shown.notBefore ? rejections.certificateExpired : undefined
}

/** An authority whose own time is over admits nobody. */
function isSignedBy(shown: Certificate, authority: Certificate, now: Millis): boolean {
  return authority.isCa && now <= authority.notAfter && shown.isIssuedBy(authority)
}

function refusalOf(shown: Certificate): Rejection {
  return reword(rejections.clientCertificateRefused, {
    message: `Certificate with SHA256 ${shown.sha256} not allowed`,
  })
}

/** The certificates behind the names, those that can be had; at once when nobody has to be waited for. */
function findAll(names: readonly string[], certificates: Certificates | undefined): Maybe<readonly Certificate[]> {
  const found = names.map((name) => certificates?.find(name))
  return found.some((one) => isPromise(one))
    ? Promise.all(found).then(certificatesOf)
    : certificatesOf(found as readonly (NamedCertificate | undefined)[])
}

function certificatesOf(found: readonly (NamedCertificate | undefined)[]): readonly Certificate[] {
  return found.map((one) => one?.certificate).filter((one) => one !== undefined)
}
