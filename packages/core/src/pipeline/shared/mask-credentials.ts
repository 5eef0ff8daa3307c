/**
 * Replaces credentials in the requests and responses of detailed records and events: headers, parameters and cookies that
 * authenticate, passwords and tokens in forms and JSON. Source: docs/reference/analytics.md#credentials-in-records.
 */
import { authConfigOf, authModes, credentialPlacesOf } from '../../definition/auth-modes/auth-modes.ts'
import { type HeaderPairs, headerOf } from '../../http/headers.ts'
import type { GatewayRequest } from '../../http/messages.ts'
import { nameOfField } from '../../lib/form.ts'
import { utf8Bytes, utf8Text } from '../../lib/text/utf8.ts'
import { vendorForms } from '../../lib/vendor.ts'
import type { CompileContext } from '../contract/stage.ts'

/** Parts of a request as records and events show them. */
type RecordedRequest = Pick<GatewayRequest, 'method' | 'path' | 'query' | 'headers'>

interface RecordedMessage<T> {
  readonly message: T
  readonly body: Uint8Array | undefined
}

export interface CredentialMask {
  request(request: RecordedRequest, body: Uint8Array | undefined): RecordedMessage<RecordedRequest>
  response(headers: HeaderPairs, body: Uint8Array): RecordedMessage<HeaderPairs>
}

const mask = '[masked]'

/** Members of forms, queries and JSON that carry a credential (RFC 6749, RFC 7521, RFC 7636). */
const secretNames: readonly string[] = [
  ...['password', 'client_secret', 'client_assertion', 'assertion', 'access_token', 'refresh_token', 'id_token'],
  ...['code_verifier', 'subject_token', 'actor_token'],
]

/** Changes nothing if the configuration keeps credentials (`detailed_credentials`). */
export function makeCredentialMask(compileContext: CompileContext): CredentialMask {
  return compileContext.services.settings.keepsCredentials ? noMask : makeMask(compileContext)
}

const noMask: CredentialMask = {
  request: (message, body) => ({ message, body }),
  response: (message, body) => ({ message, body }),
}

/** Masks regardless of the configuration. */
export function makeMask({ api, services }: CompileContext): CredentialMask {
  const { document } = api
  const places = authModes.map(({ name }) => credentialPlacesOf(document, name))
  const signatures = authModes.map(({ name }) => authConfigOf(document, name).signature)
  const vendor = vendorForms(services.settings.vendor).lower
  const headerNames = new Set([
    ...['authorization', 'proxy-authorization', `x-${vendor}-authorization`, 'admin-auth'],
    ...places.map(({ header }) => header),
    ...signatures.map(({ header }) => header.toLowerCase()),
  ])
  const fieldNames = new Set([
    ...secretNames,
    // Codes and tokens are common names of other fields, so they count only where the OAuth server reads them.
    ...(document.useOauth2 ? ['code', 'token'] : []),
    ...places.map(({ param }) => param),
    ...signatures.map(({ paramName }) => paramName),
  ])
  const hidesBody = document.basicAuth.extractFromBody

  const headersOf = (headers: HeaderPairs): HeaderPairs =>
    headers.map((text, i) => {
      if (i % 2 === 0) return text
      const name = headers[i - 1] as string
      if (headerNames.has(name)) return mask
      if (name === 'cookie') return maskCookies(text)
      if (name === 'set-cookie') return text.replace(/^([^=;]*=)[^;]*/, `$1${mask}`)
      return name === 'referer' || name === 'location' ? maskUrl(text, fieldNames) : text
    })

  return {
    request(request, body) {
      const message: RecordedRequest = {
        method: request.method,
        path: request.path,
        query: maskFields(request.query, fieldNames),
        headers: headersOf(request.headers),
      }
      if (body === undefined || body.length === 0) return { message, body }
      return { message, body: hidesBody ? utf8Bytes(mask) : maskBody(request.headers, body, fieldNames) }
    },
    response: (headers, body) => ({ message: headersOf(headers), body: maskBody(headers, body, fieldNames) }),
  }
}

/** The names of cookies stay. */
function maskCookies(text: string): string {
  return text
    .split(';')
    .map((pair) => pair.replace(/=.*$/s, `=${mask}`))
    .join(';')
}

function maskUrl(url: string, names: ReadonlySet<string | undefined>): string {
  return url.replace(/[?#][^#]*/g, (part) => part.charAt(0) + maskFields(part.slice(1), names))
}

function maskFields(text: string, names: ReadonlySet<string | undefined>): string {
  if (!text.includes('=')) return text
  return text
    .split('&')
    .map((field) => {
      const equals = field.indexOf('=')
      return equals !== -1 && names.has(nameOfField(field)) ? `${field.slice(0, equals)}=${mask}` : field
    })
    .join('&')
}

/**
 * Forms and JSON are text. A compressed body, or one of several parts, may contain credentials that are not found, so all
 * of it is replaced. A body of another type stays as it is.
 */
function maskBody(headers: HeaderPairs, body: Uint8Array, names: ReadonlySet<string | undefined>): Uint8Array {
  if (body.length === 0) return body
  const type = headerOf(headers, 'content-type')?.toLowerCase() ?? ''
  const coding = headerOf(headers, 'content-encoding')?.trim().toLowerCase() ?? 'identity'
  if (type.includes('multipart/form-data') || (coding !== 'identity' && coding !== '')) return utf8Bytes(mask)
  const isForm = type.includes('x-www-form-urlencoded')
  if (!isForm && !type.includes('json')) return body
  const text = utf8Text(body)
  const masked = isForm ? maskFields(text, names) : maskJson(text)
  return masked === text ? body : utf8Bytes(masked)
}

/** The text can be cut, so it is not parsed. A text that is cut ends at the end of the body. */
const secretMember = new RegExp(`("(?:${secretNames.join('|')})"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*(?:"|\\\\?$)`, 'gs')

function maskJson(text: string): string {
  return text.replace(secretMember, `$1"${mask}"`)
}
