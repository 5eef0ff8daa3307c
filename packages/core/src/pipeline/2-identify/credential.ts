/**
 * Reads a credential from the configured places: cookie first, then parameter, then header. Empty values are skipped
 * (docs/reference/request-checks.md#key-location).
 */
import type { CredentialPlaces } from '../../definition/api-definition.ts'
import { headerOf } from '../../http/headers.ts'
import type { GatewayRequest } from '../../http/messages.ts'
import { parameterOf } from '../../lib/form.ts'

/** Returns the credential as sent; empty if there is none. */
export function readCredential(request: GatewayRequest, places: CredentialPlaces): string {
  if (places.cookie !== undefined) {
    const value = cookieOf(request, places.cookie)
    if (value !== '') return value
  }
  if (places.param !== undefined && request.query !== '') {
    const value = parameterOf(request.query, places.param)
    if (value !== '') return value
  }
  return places.header === undefined ? '' : (headerOf(request.headers, places.header) ?? '')
}

/** Removes one leading `Bearer `, case-insensitively. */
export function withoutBearer(credential: string): string {
  if (credential.length < 7 || credential.charCodeAt(6) !== 0x20) return credential
  const first = credential.charCodeAt(0)
  if (first !== 0x42 && first !== 0x62) return credential
  return credential.slice(0, 7).toLowerCase() === 'bearer ' ? credential.slice(7) : credential
}

/** Returns the value of the first cookie of that name (RFC 6265 section 4.2); empty if absent. */
export function cookieOf({ headers }: Pick<GatewayRequest, 'headers'>, name: string): string {
  for (let i = 0; i < headers.length; i += 2) {
    if (headers[i] !== 'cookie') continue
    for (const pair of (headers[i + 1] as string).split(';')) {
      const equals = pair.indexOf('=')
      if (equals === -1 || pair.slice(0, equals).trim() !== name) continue
      const value = pair.slice(equals + 1).trim()
      return value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value
    }
  }
  return ''
}
