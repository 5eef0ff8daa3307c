/**
 * Finds the session of a key (docs/reference/request-checks.md#key-location). A short, unknown or unusable key gets the
 * same rejection as any other, so that clients cannot learn which keys exist. With `use_certificate`, TLS connections
 * are identified by the client certificate instead. With `validate_signature`, a signature beside the key is checked.
 */

import type { ApiDefinition } from '../../definition/api-definition.ts'
import { authConfigOf } from '../../definition/auth-modes/auth-modes.ts'
import type { GatewayRequest } from '../../http/messages.ts'
import { type Rejection, rejections } from '../../http/rejections.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import type { CachedKey } from '../../session/cached-key.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeStage, Outcome, Stage, Unnamed } from '../contract/stage.ts'
import type { StageServices } from '../contract/stage-services.ts'
import { withBearerErrors } from '../shared/bearer-errors.ts'
import { hasOwnStage, type KeyAcceptance, makeKeyAcceptance } from './accept-key.ts'
import { isBoundToOtherCertificate } from './check-required-proof.ts'
import { readCredential, withoutBearer } from './credential.ts'
import { makeCheckKeySignature } from './key-signature.ts'

export const makeAuthToken: MakeStage = (compileContext) => {
  const { api, services } = compileContext
  if (!hasOwnStage(api, 'token')) return null
  const { sessionCache, settings } = services
  const { minTokenLength } = settings.keys
  const { useCertificate } = authConfigOf(api.document, 'token')
  const findCertificateKey = useCertificate ? makeFindCertificateKey(api, services) : undefined
  const hasCertificate = useCertificate ? makeHasCertificate(services) : undefined
  const checksBindings = api.document.useMutualTlsAuth
  const missing = useCertificate ? rejections.keyUnknown : rejections.authMissing
  const checkSignature = makeCheckKeySignature(compileContext)

  const byKey = makeKeyAcceptance(compileContext, 'token', 'key')
  const byCertificate = makeKeyAcceptance(compileContext, 'token', 'certificate')

  const settle = (
    entry: CachedKey | Rejection | undefined,
    context: RequestContext,
    acceptance: KeyAcceptance = byKey,
  ): Outcome => {
    if (entry === undefined) {
      context.trace?.note('no such key')
      return rejections.keyUnknown
    }
    if ('kind' in entry) return entry
    if (!acceptance.isUsable(entry, context)) return rejections.keyUnknown
    if (checksBindings && isBoundToOtherCertificate(entry.session, context.request, services))
      return rejections.certificateMismatch
    acceptance.accept(entry, context)
    return checkSignature?.(entry, context)
  }

  /** A key of a certificate that is not stored any more is unknown, also without TLS. */
  const settleWithoutTls = (
    entry: CachedKey | undefined,
    context: RequestContext,
    isStored: (key: CachedKey) => Maybe<boolean>,
  ): Maybe<Outcome> =>
    when(entry === undefined || isStored(entry), (has) => (has ? settle(entry, context) : rejections.keyUnknown))

  const stage: Unnamed<Stage> = {
    run(context) {
      if (context.ignored) return undefined
      if (findCertificateKey !== undefined && context.request.secure) {
        return when(findCertificateKey(context.request), (entry) => settle(entry, context, byCertificate))
      }
      const credential = withoutBearer(readCredential(context.request, api.tokenPlaces))
      if (credential === '') return missing
      if (byKey.provides) context.credential = credential
      if (credential.length <= minTokenLength) return rejections.keyUnknown
      const found = sessionCache.find(credential, api.orgId)
      return when(found, (entry) =>
        hasCertificate === undefined ? settle(entry, context) : settleWithoutTls(entry, context, hasCertificate),
      )
    },
  }
  return withBearerErrors(stage, api, settings.bearerErrors?.token)
}

/**
 * Finds the key of the client certificate, or returns a rejection. The key is named after the certificate, which must
 * still be stored and valid (docs/reference/authentication.md#certificates-as-keys).
 */
type FindCertificateKey = (request: GatewayRequest) => Maybe<CachedKey | Rejection>

function makeFindCertificateKey({ orgId }: ApiDefinition, services: StageServices): FindCertificateKey {
  const { certificates, sessionCache, clock } = services
  return ({ clientCertificate }) => {
    if (clientCertificate === undefined) return rejections.certificateMissing
    const shown = certificates?.read(clientCertificate)
    if (shown === undefined) return rejections.certificateUnknown
    return when(sessionCache.find(orgId + shown.sha256, orgId), (entry) => {
      if (entry === undefined) return rejections.certificateUnknown
      const id = entry.session.certificate === '' ? orgId + shown.sha256 : entry.session.certificate
      return when(certificates?.find(id), (stored) => {
        const isStored = stored?.certificate?.sha256 === shown.sha256
        if (!isStored || shown.allowsClientAuth === false) return rejections.certificateMismatch
        const now = clock.now()
        return now > shown.notAfter || now < shown.notBefore ? rejections.certificateExpired : entry
      })
    })
  }
}

/** Returns whether the certificate that a key is bound to is stored; true for a key that is bound to none. */
function makeHasCertificate({ certificates }: StageServices): (key: CachedKey) => Maybe<boolean> {
  return ({ session }) =>
    session.certificate === '' ||
    when(certificates?.find(session.certificate), (stored) => stored?.certificate !== undefined)
}
