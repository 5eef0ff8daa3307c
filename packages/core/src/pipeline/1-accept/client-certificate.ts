/**
 * Mutual TLS (`use_mutual_tls_auth`): the connection must show a certificate that the API admits, itself or by the
 * authority that signed it; keyless APIs too. Source: spec/oauth-certs-reload.md 3.4.
 *
 * A certificate is named by its id (organisation and fingerprint) or by a PEM file. An id admits its certificate as it
 * stands; authorities and files are read, and read again after a while.
 */
import { type Rejection, rejections, reword } from '../../errors.ts'
import { type Maybe, when } from '../../maybe.ts'
import type { Certificate, Certificates } from '../../ports/certificates.ts'
import type { Millis } from '../../ports/clock.ts'
import type { MakeStage, Outcome } from '../stage.ts'

/** An organisation and a fingerprint; not a path. */
const idPattern = /^[^/\\.]*[0-9a-f]{64}$/

/** How long certificates that were read are believed. */
const believedMs = 10_000

export const makeClientCertificate: MakeStage = ({ api, tools }) => {
  if (!api.document.useMutualTlsAuth) return null
  const { certificates, clock, settings } = tools
  const names = [...(api.document.clientCertificates ?? []), ...(settings.clientCertificates ?? [])]
  const fingerprints = new Set(names.filter((name) => idPattern.test(name)).map((id) => id.slice(-64)))
  const listed = makeListed(names, certificates, clock.now)

  const decide = (shown: Certificate, now: Millis): Maybe<Outcome> => {
    if (fingerprints.has(shown.sha256)) return expired(shown, now)
    return when(listed(), (known) => {
      const isAdmitted = known.some((one) => one.sha256 === shown.sha256 || isSignedBy(shown, one, now))
      return isAdmitted ? expired(shown, now) : refusalOf(shown)
    })
  }

  return {
    name: 'client-certificate',
    phase: '1-accept',
    run({ request, startedAt }) {
      if (!request.secure) return rejections.tlsMissing
      if (request.clientCertificate === undefined) return rejections.clientCertificateMissing
      const shown = certificates?.read(request.clientCertificate)
      return shown === undefined ? rejections.clientCertificateMissing : decide(shown, startedAt)
    },
  }
}

function expired(shown: Certificate, now: Millis): Outcome {
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

/** The certificates behind the names, those that can be had. */
function makeListed(
  names: readonly string[],
  certificates: Certificates | undefined,
  now: () => Millis,
): () => Maybe<readonly Certificate[]> {
  let known: Maybe<readonly Certificate[]> = []
  let readAt = Number.NEGATIVE_INFINITY
  const read = async (): Promise<readonly Certificate[]> => {
    const found = await Promise.all(names.map((name) => certificates?.find(name)))
    return found.map((one) => one?.certificate).filter((one) => one !== undefined)
  }
  return () => {
    if (now() - readAt < believedMs) return known
    readAt = now()
    const reading = read().then((list) => {
      known = list
      return list
    })
    known = reading
    return reading
  }
}
