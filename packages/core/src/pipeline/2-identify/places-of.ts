/** Where each mode of an API reads its credential. Source: spec/oauth-certs-reload.md 3. */
import type { CredentialPlaces } from '../../definition/api-definition.ts'
import { authConfigShape, type ClassicDefinition } from '../../definition/classic.ts'
import { credentialPlaces } from '../../definition/normalise.ts'

/** Names in `auth_configs`. */
export type AuthConfigName = 'jwt' | 'basic' | 'hmac' | 'oauth'

/** Tokens fall back to the old `auth` object; the modes that never used it do not. */
export function placesOf(document: Readonly<ClassicDefinition>, name: AuthConfigName): CredentialPlaces {
  const own = document.authConfigs?.[name]
  return credentialPlaces(own ?? (name === 'jwt' ? document.auth : authConfigShape.zero()))
}
