/**
 * Signed requests (docs/reference/authentication.md#hmac-signatures). All failures get the same rejection, so that
 * clients cannot learn which keys exist; the trace contains the reason.
 */

import { readSignatureHeader, type SignatureHeader } from '../../auth/hmac/signature-header.ts'
import { unsignedBody, unsignedPart } from '../../auth/hmac/signed-content.ts'
import { readSigningDate } from '../../auth/hmac/signing-date.ts'
import { auxDateHeader, decodedPath, signedBytes, signingStrings, wholeTarget } from '../../auth/hmac/signing-string.ts'
import { headerOf } from '../../http/headers.ts'
import type { GatewayRequest } from '../../http/messages.ts'
import { rejections } from '../../http/rejections.ts'
import { sameText } from '../../lib/constant-time.ts'
import { macOf } from '../../lib/mac.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import { macHashByAlgorithm, rsaAlgorithm } from '../../lib/signature-algorithms.ts'
import { decodeBase64, encodeBase64 } from '../../lib/text/base64.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import type { CachedKey } from '../../session/cached-key.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeStage, Outcome } from '../contract/stage.ts'
import type { StageServices } from '../contract/stage-services.ts'
import { withRequestBody } from '../shared/request-body.ts'
import { hasOwnStage, makeKeyAcceptance } from './accept-key.ts'
import { readCredential } from './credential.ts'

export const makeHmac: MakeStage = (compileContext) => {
  const { api, services } = compileContext
  if (!hasOwnStage(api, 'hmac')) return null
  const { hmacAllowedAlgorithms, hmacAllowedClockSkew: skewMs, hmacRequireSignedContent } = api.document
  const targetOf = hmacRequireSignedContent ? wholeTarget : decodedPath
  const allowed = (hmacAllowedAlgorithms ?? []).length === 0 ? undefined : new Set(hmacAllowedAlgorithms)
  const { places, provides, isUsable, accept } = makeKeyAcceptance(compileContext, 'hmac', 'hmac')
  const { minTokenLength } = services.settings.keys

  const reject = (context: RequestContext, why: string): Outcome => {
    context.trace?.note(why)
    return rejections.hmacRefused
  }

  const settle = (entry: CachedKey | undefined, header: SignatureHeader, context: RequestContext): Maybe<Outcome> => {
    if (entry === undefined) return reject(context, 'no such key')
    if (!isUsable(entry, context)) return rejections.hmacRefused
    const candidates = signingStrings(context.request, header.headers, targetOf)
    return when(isSignedBy(entry, header, candidates, services), (signed) => {
      if (!signed) return reject(context, `key ${entry.logName}: the signature is wrong`)
      if (!hmacRequireSignedContent) return accept(entry, context)
      return withRequestBody(context, services, (body): Maybe<Outcome> => {
        const problem = unsignedBody(header.headers, context.request.headers, body)
        return problem === undefined ? accept(entry, context) : reject(context, problem)
      })
    })
  }

  return {
    run(context) {
      if (context.ignored) return undefined
      const { request } = context
      const header = readSignatureHeader(readCredential(request, places))
      if (header === undefined) return reject(context, 'no signature that can be read')
      if (allowed !== undefined && !allowed.has(header.algorithm))
        return reject(context, 'the algorithm is not allowed')
      const unsigned = hmacRequireSignedContent ? unsignedPart(header.headers, request.headers) : undefined
      if (unsigned !== undefined) return reject(context, unsigned)
      const date = readSigningDate(dateOf(request))
      if (date === undefined) return reject(context, 'no date')
      if (skewMs > 0 && Math.abs(context.startedAt - date) > skewMs) return reject(context, 'the date is too far off')
      if (provides) context.credential = header.keyId
      if (header.keyId.length <= minTokenLength) return reject(context, 'the key id is too short')
      return when(services.sessionCache.find(header.keyId, api.orgId), (entry) => settle(entry, header, context))
    },
  }
}

function dateOf({ headers }: GatewayRequest): string {
  return headerOf(headers, auxDateHeader) || (headerOf(headers, 'date') ?? '')
}

function isSignedBy(
  { session }: CachedKey,
  header: SignatureHeader,
  texts: readonly string[],
  services: Pick<StageServices, 'certificates'>,
): Maybe<boolean> {
  const candidates = texts.map((text) => signedBytes(text, utf8Bytes))
  if (header.algorithm === rsaAlgorithm) {
    if (!session.enableHttpSignatureValidation || session.rsaCertificateId === '') return false
    return when(services.certificates?.find(session.rsaCertificateId), (found) => {
      const signature = decodeBase64(unescaped(header.signature))
      if (signature === undefined || found?.publicKey === undefined) return false
      return candidates.some((data) => found.publicKey?.verify(data, signature))
    })
  }
  if (!session.hmacEnabled || session.hmacString === '') return false
  const hash = macHashByAlgorithm.get(header.algorithm) ?? 'sha1'
  const secret = utf8Bytes(session.hmacString)
  return candidates.some((data) =>
    sameText(header.signature, encodeURIComponent(encodeBase64(macOf(hash, secret, data)))),
  )
}

function unescaped(text: string): string {
  return text.replaceAll('%2B', '+').replaceAll('%2F', '/').replaceAll('%3D', '=')
}
