/** The form of the records in this folder. The steps for a new mode are in `auth-modes.ts`. */
import type { Json } from '../../lib/json.ts'
import type { AuthMode } from '../api-definition.ts'
import type { ClassicDefinition } from '../classic.ts'

export type AuthStage =
  | 'oauth-token'
  | 'external-oauth'
  | 'basic-auth'
  | 'hmac'
  | 'jwt'
  | 'openid'
  | 'script-auth'
  | 'auth-token'

/** What the gateway must know about one authentication mode in definitions. */
export interface AuthModeRecord {
  readonly name: AuthMode
  /** Name of its stage. `pipeline/stage-order.test.ts` checks that there is a stage of that name. */
  readonly stage: AuthStage
  /** Name of its stage in the access log. Default: `stage`. */
  readonly recordedStage?: string
  /** Whether an OAuth server can issue its credential, so that a rejection can name the metadata of one (RFC 9728). */
  readonly isIssuedByOAuthServer?: boolean
  /** Field of classic definitions that switches the mode on; used in messages. */
  readonly field: string
  isOn(document: Readonly<ClassicDefinition>): boolean
  /** Its name in `auth_configs`. */
  readonly configName: string
  /** Whether the management API rejects a definition whose entry in `auth_configs` switches off header, parameter and cookie. */
  needsPlace(document: Readonly<ClassicDefinition>): boolean
  /** Where the credential is read without an entry in `auth_configs`: as in `auth`, or in `Authorization`. */
  readonly fallback: 'auth' | 'Authorization'
  /** Its name in `base_identity_provided_by`. */
  readonly identityProvider: string
  /** How OpenAPI documents switch the mode on. */
  readonly openApi: SecurityScheme | AuthenticationSetting
}

/** A mode for one type of OpenAPI security scheme. */
export interface SecurityScheme {
  readonly kind: 'scheme'
  /** `own`: the settings of the scheme in the extension. */
  isFor(scheme: Json, own: Json): boolean
  /** The classic fields. */
  fields(scheme: Json, own: Json): Json
  /** Further fields of its entry in `auth_configs`. Default: none. */
  configFields?(own: Json): Json
}

/** A mode without an OpenAPI security scheme; its settings are a member of `server.authentication` in the extension. */
export interface AuthenticationSetting {
  readonly kind: 'setting'
  readonly member: string
  fields(own: unknown): Json
  /** Whether the member specifies where the credential is read. */
  readonly hasPlaces: boolean
}
