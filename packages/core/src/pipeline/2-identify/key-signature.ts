/**
 * The signature beside a key: proof that the client knows a secret shared with the API, valid for a moment
 * (docs/reference/request-checks.md#signed-auth-tokens).
 */
import { md5 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { authConfigOf } from '../../definition/auth-modes/auth-modes.ts'
import type { AuthConfig } from '../../definition/classic.ts'
import { isUnresolved } from '../../definition/resolve-secrets.ts'
import { maxSignatureSkewSeconds } from '../../definition/signature-skew.ts'
import { headerOf } from '../../http/headers.ts'
import type { GatewayRequest } from '../../http/messages.ts'
import { type Rejection, rejections, reword } from '../../http/rejections.ts'
import { sameBytes } from '../../lib/constant-time.ts'
import { parameterOf } from '../../lib/form.ts'
import { readTokenParts } from '../../lib/hash/token-fields.ts'
import type { VariableSource } from '../../lib/template/variable-text.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import type { CachedKey } from '../../session/cached-key.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext } from '../contract/stage.ts'
import { compileText, metaTextOf, variablesOf } from '../shared/variable-values.ts'

type Hash = (data: Uint8Array) => Uint8Array
type SignatureConfig = AuthConfig['signature']

const hashes = new Map<string, Hash>([
  ['MasherySHA256', sha256],
  ['MasheryMD5', md5],
])

/** Returns why the key's request is rejected; `undefined` if its signature is valid. */
export type CheckKeySignature = (key: CachedKey, context: RequestContext) => Rejection | undefined

/** Returns `undefined` if the API requires no signatures. */
export function makeCheckKeySignature(compileContext: CompileContext): CheckKeySignature | undefined {
  const { validateSignature, signature: config } = authConfigOf(compileContext.api.document, 'token')
  if (!validateSignature) return undefined
  const hash = hashes.get(config.algorithm)
  if (hash === undefined) return () => rejections.signatureAlgorithm
  const { orgId } = compileContext.api
  const secretText = compileText(config.secret, compileContext)
  // The text of a reference that leads to no secret is no secret.
  const isMissing = isUnresolved(config.secret)
  const skew = Math.min(Math.max(config.allowedClockSkew, 0), maxSignatureSkewSeconds)
  const rejection = rejectionOf(config)
  const read = makeReadSignature(config)
  // Another authentication mode may provide the session of the request, but the secret belongs to this key.
  const sourceOf = (key: CachedKey, context: RequestContext): VariableSource => {
    const variables = variablesOf(context, compileContext)
    return { contextText: (name) => variables.contextText(name), metaText: (name) => metaTextOf(key, name) }
  }

  return (key, context) => {
    const signature = bytesOfHex(read(context.request))
    const secret = secretText.constant ?? secretText.resolve(sourceOf(key, context))
    if (signature === undefined || secret === '' || isMissing) return rejection
    const names = [idOf(key.keyName, orgId), key.keyName]
    const isValid = isSigned({ hash, names, secret, skew, seconds: Math.floor(context.startedAt / 1000) }, signature)
    return isValid ? undefined : rejection
  }
}

interface Signed {
  readonly hash: Hash
  /** Texts that the client may have signed as its key. */
  readonly names: readonly string[]
  readonly secret: string
  readonly skew: number
  /** Unix time. */
  readonly seconds: number
}

/** Tries the moments from now outwards, since most clocks differ little. */
function isSigned({ hash, names, secret, skew, seconds }: Signed, signature: Uint8Array): boolean {
  for (let distance = 0; distance <= skew; distance++) {
    for (const moment of distance === 0 ? [seconds] : [seconds - distance, seconds + distance]) {
      for (const name of names) {
        if (sameBytes(signature, hash(utf8Bytes(`${name}${secret}${moment}`)))) return true
      }
    }
  }
  return false
}

function makeReadSignature(config: SignatureConfig): (request: GatewayRequest) => string {
  const header = config.header.toLowerCase()
  const param = config.paramName || (config.useParam ? config.header : '')
  return ({ headers, query }) => {
    const inQuery = param === '' || query === '' ? '' : parameterOf(query, param)
    return inQuery !== '' ? inQuery : (headerOf(headers, header) ?? '')
  }
}

function rejectionOf({ errorCode, errorMessage }: SignatureConfig): Rejection {
  const base = rejections.signatureRefused
  const status = errorCode >= 200 && errorCode <= 599 ? errorCode : base.status
  return reword(base, { status, message: errorMessage || base.message })
}

/** The key's name without its organisation. */
function idOf(keyName: string, orgId: string): string {
  const parts = readTokenParts(keyName)
  if (parts !== undefined) return parts.id
  return keyName.startsWith(orgId) ? keyName.slice(orgId.length) : keyName
}

function bytesOfHex(text: string): Uint8Array | undefined {
  if (text === '' || text.length % 2 === 1 || !/^[0-9a-f]+$/i.test(text)) return undefined
  return Uint8Array.from({ length: text.length / 2 }, (_, i) => Number.parseInt(text.slice(i * 2, i * 2 + 2), 16))
}
