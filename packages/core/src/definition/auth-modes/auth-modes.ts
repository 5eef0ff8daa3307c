/**
 * The list of all authentication modes, and the ones that a definition uses. To add a mode:
 * 1. Add its name to `AuthMode` in `api-definition.ts`, and the name of its stage to `AuthStage` in `auth-mode-record.ts`.
 * 2. Write its record in a file in this folder, and add it to `authModes` below. Describe the fields of the
 *    mode in `definition/classic.ts`, and for OpenAPI in `definition/openapi/extension-shape/authentication-shape.ts`.
 * 3. Write its stage in `pipeline/2-identify`; add it to `makers` in `2-identify/auth-groups.ts` and to
 *    `pipeline/stage-order.ts`.
 * 4. If it proves a session in a new way, add that to `ProofMethod` in `session/required-proof.ts`.
 * 5. Add its errors to `http/rejections.ts`, and those for a missing or malformed credential to
 *    `noCredential` in `7-record/fire-events.ts`, so that they fire no AuthFailure.
 */
import type { Json } from '../../lib/json.ts'
import type { AuthMode, CredentialPlaces } from '../api-definition.ts'
import { type AuthConfig, authConfigShape, type ClassicDefinition } from '../classic.ts'
import type { AuthModeRecord, SecurityScheme } from './auth-mode-record.ts'
import { basicMode } from './basic-mode.ts'
import { customMode } from './custom-mode.ts'
import { externalOAuthMode } from './external-oauth-mode.ts'
import { hmacMode } from './hmac-mode.ts'
import { jwtMode } from './jwt-mode.ts'
import { oauthMode } from './oauth-mode.ts'
import { openidMode } from './openid-mode.ts'
import { tokenMode } from './token-mode.ts'

/** In the order in which requests pass them. Source: docs/reference/request-pipeline.md#step-order. */
export const authModes: readonly AuthModeRecord[] = [
  oauthMode,
  externalOAuthMode,
  basicMode,
  hmacMode,
  jwtMode,
  openidMode,
  customMode,
  tokenMode,
]

const byName = new Map(authModes.map((mode) => [mode.name, mode]))

export function authModeOf(name: AuthMode): AuthModeRecord {
  return byName.get(name) as AuthModeRecord
}

/** The modes that are on, in their order. An API that is not keyless and has no mode uses the token mode. */
export function authModesOf(document: Readonly<ClassicDefinition>): readonly AuthMode[] {
  if (document.useKeyless) return []
  const modes = authModes.filter((mode) => mode.isOn(document)).map(({ name }) => name)
  return modes.length > 0 ? modes : [tokenMode.name]
}

/** A mode with the OpenAPI security scheme that switches it on. */
export interface SchemeMode extends Pick<AuthModeRecord, 'name' | 'configName'> {
  readonly openApi: SecurityScheme
}

/** The mode of an OpenAPI security scheme. An unknown type counts as JWT, so that a mistake never opens an API. */
export function modeOfScheme(scheme: Json, own: Json): SchemeMode {
  for (const { name, configName, openApi } of authModes) {
    if (openApi.kind === 'scheme' && openApi.isFor(scheme, own)) return { name, configName, openApi }
  }
  return jwtMode
}

/**
 * The auth config of a mode: its entry in `auth_configs`. Without one, `fallback` of its record chooses between `auth`
 * and an empty config, which means the header `Authorization`.
 */
export function authConfigOf(document: Readonly<ClassicDefinition>, name: AuthMode): AuthConfig {
  const { configName, fallback } = authModeOf(name)
  return document.authConfigs?.[configName] ?? (fallback === 'auth' ? document.auth : authConfigShape.zero())
}

/** Where a mode reads its credential. Source: docs/reference/authentication.md#credential-sources. */
export function credentialPlacesOf(document: Readonly<ClassicDefinition>, name: AuthMode): CredentialPlaces {
  const config = authConfigOf(document, name)
  const header = config.authHeaderName === '' ? 'Authorization' : config.authHeaderName
  return {
    header: config.disableHeader ? undefined : header.toLowerCase(),
    param: config.useParam ? config.paramName || header : undefined,
    cookie: config.useCookie ? config.cookieName || header : undefined,
  }
}
