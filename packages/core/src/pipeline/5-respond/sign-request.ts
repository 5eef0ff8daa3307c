/**
 * Signs requests for the upstream (docs/reference/request-signing.md). If the settings are incomplete, every request is
 * rejected, because the upstream would reject it too.
 */
import { namesToSign, signatureHeader, textToSign } from '../../auth/hmac/request-signature.ts'
import { signedBytes } from '../../auth/hmac/signing-string.ts'
import { isUnresolved } from '../../definition/resolve-secrets.ts'
import { headerOf, removeHeader } from '../../http/headers.ts'
import { isHopByHop } from '../../http/hop-by-hop-names.ts'
import { type Rejection, rejections } from '../../http/rejections.ts'
import { type MacHash, macOf } from '../../lib/mac.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import { macHashByAlgorithm, rsaAlgorithm } from '../../lib/signature-algorithms.ts'
import { encodeBase64 } from '../../lib/text/base64.ts'
import { formatHttpDate } from '../../lib/text/time.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import type { CompileContext, MakeStage } from '../contract/stage.ts'
import { urlOf } from '../shared/replace-request.ts'

/** Returns the signature as it appears in the header, or a rejection. */
type Sign = (text: Uint8Array) => Maybe<string | Rejection>

export const makeSignRequest: MakeStage = (compileContext) => {
  const { requestSigning } = compileContext.api.document
  if (!requestSigning.isEnabled) return null
  const sign = makeSign(compileContext)
  const header = (requestSigning.signatureHeader || 'Authorization').toLowerCase()
  const { keyId, algorithm } = requestSigning
  const plan = {
    listed: requestSigning.headerList ?? [],
    isSignable: (name: string) => name !== header && !changesOnTheWay(name),
  }
  return {
    run(context) {
      if ('kind' in sign) return sign
      // Another API of this gateway gets the request, and signs it if its definition says so.
      if (context.loop !== undefined) return undefined
      const { outgoing } = context
      const request = { method: outgoing.method, target: urlOf(outgoing), headers: outgoing.headers }
      const names = namesToSign(request, plan)
      const headers = outgoing.ownHeaders()
      if (names.includes('date') && headerOf(headers, 'date') === undefined) {
        headers.push('date', formatHttpDate(compileContext.services.clock.now()))
      }
      const text = signedBytes(textToSign({ ...request, headers }, names), utf8Bytes)
      return when(sign(text), (signature) => {
        if (typeof signature !== 'string') return signature
        removeHeader(headers, header)
        headers.push(header, signatureHeader(keyId, algorithm, names, signature))
        return undefined
      })
    },
  }
}

/** The gateway removes these headers, or sends them with another value. */
function changesOnTheWay(name: string): boolean {
  return isHopByHop(name) || name === 'x-forwarded-for' || name === 'expect' || name === 'content-length'
}

function makeSign({ api, services }: CompileContext): Sign | Rejection {
  const { keyId, algorithm, secret, certificateId } = api.document.requestSigning
  const isRsa = algorithm === rsaAlgorithm
  if (keyId === '' || algorithm === '' || (isRsa ? certificateId : secret) === '') return rejections.signingIncomplete
  // The name of a missing variable is no secret: anyone could sign with it.
  if (!isRsa && isUnresolved(secret)) return rejections.signingIncomplete
  const hash = macHashByAlgorithm.get(algorithm)
  const allowed = api.document.hmacAllowedAlgorithms ?? []
  const isAllowed = allowed.length === 0 || allowed.includes(algorithm)
  if ((hash === undefined && !isRsa) || !isAllowed) return rejections.signingAlgorithm
  return hash === undefined ? signWithCertificate(certificateId, services) : signWithSecret(hash, secret)
}

function signWithSecret(hash: MacHash, secret: string): Sign {
  const key = utf8Bytes(secret)
  return (text) => encodeURIComponent(encodeBase64(macOf(hash, key, text)))
}

/** The certificate is looked up at each request, because it can be replaced at any time. */
function signWithCertificate(id: string, { certificates }: CompileContext['services']): Sign {
  return (text) =>
    when(certificates?.find(id), (named) => {
      if (named === undefined) return rejections.signingCertificateMissing
      return named.signingKey === undefined
        ? rejections.signingKeyMissing
        : named.signingKey.sign(text).then(encodeBase64)
    })
}
