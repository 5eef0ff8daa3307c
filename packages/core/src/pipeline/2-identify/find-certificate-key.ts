/**
 * Keys of client certificates (`auth.use_certificate`). The key is named after the certificate, which must still be
 * stored and valid (docs/reference/authentication.md#certificates-as-keys).
 */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import type { GatewayRequest } from '../../http/messages.ts'
import { type Rejection, rejections } from '../../http/rejections.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import type { CachedKey } from '../../session/cached-key.ts'
import type { StageServices } from '../contract/stage-services.ts'

/** Finds the key of the client certificate, or returns a rejection. */
export type FindCertificateKey = (request: GatewayRequest) => Maybe<CachedKey | Rejection>

export function makeFindCertificateKey({ orgId }: ApiDefinition, services: StageServices): FindCertificateKey {
  const { certificates, sessionCache, clock } = services
  return ({ clientCertificate }) => {
    if (clientCertificate === undefined) return rejections.certificateMissing
    const shown = certificates?.read(clientCertificate)
    if (shown === undefined) return rejections.certificateUnknown
    return when(sessionCache.find(orgId + shown.sha256, orgId), (entry) => {
      if (entry === undefined) return rejections.certificateUnknown
      const id = entry.session.certificate === '' ? orgId + shown.sha256 : entry.session.certificate
      return when(certificates?.find(id), (stored) => {
        if (stored?.certificate?.sha256 !== shown.sha256) return rejections.certificateMismatch
        return clock.now() > shown.notAfter ? rejections.certificateExpired : entry
      })
    })
  }
}

/** Returns whether the certificate that a key is bound to is stored; true for a key that is bound to none. */
export function makeHasCertificate({ certificates }: StageServices): (key: CachedKey) => Maybe<boolean> {
  return ({ session }) =>
    session.certificate === '' ||
    when(certificates?.find(session.certificate), (stored) => stored?.certificate !== undefined)
}
