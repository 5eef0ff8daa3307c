/**
 * An API as the engine uses it: parsed, validated, with all defaults, and frozen. Classic definitions, OpenAPI documents
 * and MCP proxies all become an `ApiDefinition`.
 */

import type { ListenProtocol } from '../http/listen-address.ts'
import type { Json } from '../lib/json.ts'
import type { ScriptProblem, ScriptSource } from '../lib/script-source.ts'
import type { JsonPath } from '../lib/shape/shape.ts'
import type { ClassicDefinition } from './classic.ts'
import type { ExtendedPaths } from './version-shape.ts'

export type AuthMode = 'oauth' | 'external-oauth' | 'basic' | 'hmac' | 'jwt' | 'openid' | 'custom' | 'token'

/** Where requests carry a credential. A cookie comes before a query parameter, and that before the header. */
export interface CredentialPlaces {
  /** In lower case; `undefined`: headers are not read. */
  readonly header: string | undefined
  readonly param: string | undefined
  readonly cookie: string | undefined
}

/** One authentication method of a group. */
export interface GroupScheme {
  /** Name of the scheme in the document. */
  readonly name: string
  /** `undefined`: no method is configured for the scheme, so its group never passes. */
  readonly mode: AuthMode | undefined
}

/** Methods that all have to pass. An empty group passes without authentication. */
export type AuthGroup = readonly GroupScheme[]

/** How a request selects its version. Source: docs/reference/versions.md#versions-inside-one-definition. */
export type Versioning =
  /** One version for all requests. */
  | { readonly kind: 'none' }
  /** The API is not versioned, and no version qualifies as the only one: every request is rejected. */
  | { readonly kind: 'missing-default' }
  /** The API is not versioned, and several versions qualify as the only one: every request is rejected. */
  | { readonly kind: 'ambiguous-default' }
  | {
      readonly kind: 'named'
      readonly location: 'header' | 'url-param' | 'url'
      /** Name of the header, in lower case, or of the query parameter. */
      readonly key: string
      readonly defaultVersion: string
      readonly fallbackToDefault: boolean
      readonly strip: boolean
      /** Only a path segment that matches this RE2 pattern is removed; empty: any segment. */
      readonly urlPattern: string
    }

/**
 * Versions with definitions of their own: this API, the base, forwards a request to the API of the requested version.
 * Source: docs/reference/versions.md#versions-across-definitions.
 */
export interface VersionFamily {
  readonly location: 'header' | 'url-param' | 'url'
  /** Name of the header, in lower case, or of the query parameter. */
  readonly key: string
  /** Version name of the base itself; `self` is an alias. */
  readonly ownName: string
  /** Version of requests that name none; empty: they are rejected. */
  readonly defaultVersion: string
  readonly fallbackToDefault: boolean
  readonly strip: boolean
  /** Only a path segment that matches this RE2 pattern is removed; empty: any segment. */
  readonly urlPattern: string
  /** API id by version name. */
  readonly children: ReadonlyMap<string, string>
}

export interface ApiVersion {
  readonly name: string
  /** Expiry in ms since 1970; `undefined`: never; 0: the date is invalid, which counts as expired. */
  readonly expiresAt: number | undefined
  /** Path rules. */
  readonly paths: PathRules
  readonly ignoreCase: boolean
  readonly globalHeaders: HeaderRules
  readonly globalResponseHeaders: HeaderRules
  /** Limit of request bodies in bytes; 0: none. */
  readonly sizeLimit: number
  /** Target URL of this version of a versioned API; empty: the API's. */
  readonly overrideTarget: string
}

export interface HeaderRules {
  readonly remove: readonly string[]
  readonly add: readonly (readonly [name: string, value: string])[]
}

/** Path rules without the disabled ones; missing lists are empty. */
export type PathRules = { readonly [K in keyof ExtendedPaths]: readonly NonNullable<ExtendedPaths[K]>[number][] }

export interface ScriptEntry {
  /** Name of the global that the sources define. */
  readonly name: string
  /** The script receives the session of the key. */
  readonly requireSession: boolean
}

/** Names of the stages that scripts can have, as members of `ApiScripts`. */
export type ScriptStage = 'pre' | 'postKeyAuth' | 'post' | 'response'

/** The scripts of an API: which run at which stage, and the sources that define them. */
export interface ApiScripts extends Readonly<Record<ScriptStage, readonly ScriptEntry[]>> {
  /** `undefined`: missing, disabled or without a name. */
  readonly authCheck: ScriptEntry | undefined
  /** In the order in which they are read into the scope. */
  readonly sources: readonly ScriptSource[]
  /** Sources that could not be read. */
  readonly unread: readonly ScriptProblem[]
  /** The configuration switches scripts off (`enable_jsvm`). */
  readonly isOff: boolean
  /** Why the scripts of stages cannot run; `undefined`: they can. Scripted endpoints are not affected. */
  readonly problem: string | undefined
  /** Why the bundle that the definition names is not loaded; `undefined`: it is, or none is named. */
  readonly unloadedBundle: string | undefined
}

/**
 * `partly`: see the reason. `rejected`: requests that the feature would guard are rejected. `ignored`: the field is kept
 * and has no effect. `stored`: the same, and no gateway acts on the field, so that nothing is missing.
 */
export type SupportStatus = 'partly' | 'rejected' | 'ignored' | 'stored'

/** A field of a document that the gateway does not support, or does not know. */
export interface Unsupported {
  readonly path: JsonPath
  /** `unused`: not known, and its value says nothing or belongs to a dashboard. */
  readonly status: SupportStatus | 'unknown' | 'unused' | 'wrong-type'
  readonly reason: string
  readonly instead: string
  readonly changesRequests: boolean
}

/** What a definition that refers to secrets shows to others. Source: docs/reference/secrets.md#references-in-responses. */
export interface DefinitionSecrets {
  /** The classic document as it is in the file. */
  readonly document: Readonly<ClassicDefinition>
  /** The OpenAPI document as it is in the file. */
  readonly oas: Json | undefined
  /** The inserted values that no output may contain. */
  readonly values: readonly string[]
}

export interface ApiDefinition {
  readonly id: string
  readonly name: string
  readonly orgId: string
  /** Changes whenever the text of the definition changes. */
  readonly hash: string
  /** Name of the definition file, for messages. */
  readonly source: string
  /** After conflicts with other APIs were resolved. */
  readonly listenPath: string
  /** TCP port of this API; 0: the gateway's port. */
  readonly port: number
  /** Protocol on that port. */
  readonly protocol: ListenProtocol
  /** In lower case; empty: all hosts. */
  readonly domain: string
  readonly internal: boolean
  readonly active: boolean
  /** Authentication modes; empty: the API is keyless. */
  readonly authModes: readonly AuthMode[]
  /** Alternatives: one group must accept the request. Absent: all `authModes` must accept it. */
  readonly authGroups?: readonly AuthGroup[]
  /** Where the token mode reads the key. */
  readonly tokenPlaces: CredentialPlaces
  readonly stripAuthData: boolean
  readonly versioning: Versioning
  /** Versions with definitions of their own, checked before `versioning`. `undefined`: the API is not a base. */
  readonly family: VersionFamily | undefined
  /** Expiry of the whole API in ms since 1970; `undefined`: never; 0: the date is invalid. */
  readonly expiresAt: number | undefined
  /** Versions by name: exactly one if `versioning.kind` is `none`, zero if every request is rejected. */
  readonly versions: ReadonlyMap<string, ApiVersion>
  /** The complete classic document. */
  readonly document: Readonly<ClassicDefinition>
  /** The OpenAPI document from which the definition was derived; absent: the definition was written by hand. */
  readonly oas?: Json
  /** Set if the files refer to secrets: the documents with the references, and the values that replace them. */
  readonly secrets?: DefinitionSecrets
  /** Fields of the files that the gateway does not know; absent: there are none. */
  readonly unknownFields?: readonly Unsupported[]
  /** Texts of the template files that path rules name, by file name; absent: there are none. */
  readonly templateFiles?: ReadonlyMap<string, string>
  /** Scripts and their sources, read with the definition; absent: there are none. */
  readonly scripts?: ApiScripts
}
