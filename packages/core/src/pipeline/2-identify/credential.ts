/**
 * Reads a credential from the configured places: cookie first, then parameter, then header. Empty values are skipped
 * (docs/reference/request-checks.md#key-location).
 */
import type { CredentialPlaces } from '../../definition/api-definition.ts'
import { cookieOf, headerOf } from '../../http/headers.ts'
import type { GatewayRequest } from '../../http/messages.ts'
import { parameterOf } from '../../lib/form.ts'

/** Returns the credential as sent; empty if there is none. */
export function readCredential(request: GatewayRequest, places: CredentialPlaces): string {
  if (places.cookie !== undefined) {
    const value = cookieOf(request.headers, places.cookie)
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
