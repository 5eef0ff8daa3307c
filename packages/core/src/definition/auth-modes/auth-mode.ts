import type { Json } from '../../lib/json.ts'
import type { ClassicDefinition } from '../classic.ts'

export type AuthMode = 'oauth' | 'basic' | 'hmac' | 'jwt' | 'openid' | 'custom' | 'token'

/**
 * Everything that definitions say about one way of authentication. A new mode is a file of this folder, an entry in
 * `auth-modes.ts` and a stage in `pipeline/2-identify`. Its error texts are in `http/errors.ts`.
 */
export interface AuthModeRecord {
  readonly name: AuthMode
  /** Stage of `pipeline/2-identify`. `undefined`: this gateway lacks the mode, so an API with it rejects every request. */
  readonly stage: string | undefined
  /** Field of classic definitions that switches the mode on; messages name it. */
  readonly field: string
  isOn(document: Readonly<ClassicDefinition>): boolean
  /** Its name in `auth_configs`. */
  readonly configName: string
  /** Whether the management API rejects a definition whose entry in `auth_configs` switches off every place. */
  needsPlace(document: Readonly<ClassicDefinition>): boolean
  /** Where it reads the credential without an entry in `auth_configs`: as `auth` says, or in `Authorization`. */
  readonly fallback: 'auth' | 'Authorization'
  /** Its name in `base_identity_provided_by`. */
  readonly identityProvider: string
  /** How OpenAPI documents ask for it. */
  readonly openApi: SecurityScheme | AuthenticationSetting
}

/** The mode of a kind of security scheme of the document. */
export interface SecurityScheme {
  readonly kind: 'scheme'
  isFor(scheme: Json): boolean
  /** Classic fields. `own`: what the extension says about the scheme. */
  fields(scheme: Json, own: Json): Json
}

/** A mode that OpenAPI has no scheme for: the extension has a member for it in `server.authentication`. */
export interface AuthenticationSetting {
  readonly kind: 'setting'
  readonly member: string
  fields(own: unknown): Json
  /** Whether the member says where the credential is read. */
  readonly hasPlaces: boolean
}
