/**
 * Finds the session of a key (docs/reference/request-checks.md#key-location). A short, unknown or unusable key gets the
 * same rejection as any other, so that clients cannot learn which keys exist. With `use_certificate`, TLS connections
 * are identified by the client certificate instead. With `validate_signature`, a signature beside the key is checked.
 */

import { authConfigOf } from '../../definition/auth-modes/auth-modes.ts'
import { type Rejection, rejections } from '../../http/rejections.ts'
import { isPromise, type Maybe, when } from '../../lib/maybe.ts'
import type { CachedKey } from '../../session/cached-key.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeStage, Outcome } from '../contract/stage.ts'
import { type KeyAcceptance, makeKeyAcceptance } from './accept-key.ts'
import { isBoundToOtherCertificate } from './certificate-binding.ts'
import { readCredential, withoutBearer } from './credential.ts'
import { makeFindCertificateKey, makeHasCertificate } from './find-certificate-key.ts'
import { hasOwnStage, providesSession } from './identity.ts'
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
  const provides = providesSession(api, 'token')
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

  return {
    name: 'auth-token',
    phase: '2-identify',
    run(context) {
      if (context.ignored) return undefined
      if (findCertificateKey !== undefined && context.request.secure) {
        const found = findCertificateKey(context.request)
        return isPromise(found)
          ? found.then((entry) => settle(entry, context, byCertificate))
          : settle(found, context, byCertificate)
      }
      const credential = withoutBearer(readCredential(context.request, api.tokenPlaces))
      if (credential === '') return missing
      if (provides) context.credential = credential
      if (credential.length <= minTokenLength) return rejections.keyUnknown
      const found = sessionCache.find(credential, api.orgId)
      if (hasCertificate !== undefined) return when(found, (entry) => settleWithoutTls(entry, context, hasCertificate))
      return isPromise(found) ? found.then((entry) => settle(entry, context)) : settle(found, context)
    },
  }
}
