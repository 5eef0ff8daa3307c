/**
 * What one published API is, as the engine sees it: parsed, checked, completed and frozen. Every notation (classic
 * documents now, OpenAPI documents later) becomes this; stages read nothing else.
 */

import type { ListenProtocol } from '../http/listening.ts'
import type { Json } from '../lib/json.ts'
import type { AuthMode } from './auth-modes/auth-mode.ts'
import type { ClassicDefinition, ExtendedPaths } from './classic.ts'

/** Where a credential is read; a cookie wins over a parameter, a parameter over the header. */
export interface CredentialPlaces {
  /** Lower case; `undefined` when headers are not read. */
  readonly header: string | undefined
  readonly param: string | undefined
  readonly cookie: string | undefined
}

/** How the version of a request is found. Source: spec/apis-and-pipeline.md 4.1. */
export type Versioning =
  /** One version for all requests. */
  | { readonly kind: 'none' }
  /** Not versioned, but no version can be meant: every request is refused. */
  | { readonly kind: 'missing-default' }
  | {
      readonly kind: 'named'
      readonly location: 'header' | 'url-param' | 'url'
      /** Header (lower case) or parameter. */
      readonly key: string
      readonly defaultVersion: string
      readonly fallbackToDefault: boolean
      readonly strip: boolean
      /** Only a path segment that matches is taken off (RE2 syntax); empty: any. */
      readonly urlPattern: string
    }

/**
 * Versions that are definitions of their own: this API, the base, hands a request on to the API that the version
 * names. Source: spec/apis-and-pipeline.md 1.4, 4.1.
 */
export interface VersionFamily {
  readonly location: 'header' | 'url-param' | 'url'
  /** Header (lower case) or parameter. */
  readonly key: string
  /** Version name of the base itself; `self` names it too. */
  readonly ownName: string
  /** Version of requests that name none; empty: they are refused. */
  readonly defaultVersion: string
  readonly fallbackToDefault: boolean
  readonly strip: boolean
  /** Only a path segment that matches is taken off (RE2 syntax); empty: any. */
  readonly urlPattern: string
  /** API id by version name. */
  readonly children: ReadonlyMap<string, string>
}

export interface ApiVersion {
  readonly name: string
  /** When it expires, ms; `undefined`: never. An unreadable date counts as expired: 0. */
  readonly expiresAt: number | undefined
  /** Lists of rules by path; empty lists instead of null. */
  readonly paths: PathRules
  readonly ignoreCase: boolean
  readonly globalHeaders: HeaderRules
  readonly globalResponseHeaders: HeaderRules
  /** Bytes; 0: no limit. */
  readonly sizeLimit: number
  /** Upstream of this version instead of the API's; empty: none. */
  readonly overrideTarget: string
}

export interface HeaderRules {
  readonly remove: readonly string[]
  readonly add: readonly (readonly [name: string, value: string])[]
}

/** The extended paths without disabled rules and with `[]` for absent lists. */
export type PathRules = { readonly [K in keyof ExtendedPaths]: readonly NonNullable<ExtendedPaths[K]>[number][] }

export interface ApiDefinition {
  readonly id: string
  readonly name: string
  readonly orgId: string
  /** Changes whenever the definition's text changes. */
  readonly hash: string
  /** Where it was read, for messages: a file name. */
  readonly source: string
  /** As it routes, after conflicts were settled (1.5). */
  readonly listenPath: string
  /** Port of its own; 0: the gateway's. */
  readonly port: number
  /** What is spoken on that port. */
  readonly protocol: ListenProtocol
  /** Lower case; empty: any host. */
  readonly domain: string
  readonly internal: boolean
  readonly active: boolean
  /** Empty: keyless. */
  readonly authModes: readonly AuthMode[]
  /** Of the token mode. */
  readonly tokenPlaces: CredentialPlaces
  readonly stripAuthData: boolean
  readonly versioning: Versioning
  /** Versions made of other definitions; looked at before `versioning`. `undefined`: the API is no base. */
  readonly family: VersionFamily | undefined
  /** When the whole API expires, ms, by its `expiration`; `undefined`: never. An unreadable date: 0. */
  readonly expiresAt: number | undefined
  /** By name; exactly one when `versioning.kind` is `none`, none when it is `missing-default`. */
  readonly versions: ReadonlyMap<string, ApiVersion>
  /** The document, for what only later stages and the management API need. */
  readonly document: Readonly<ClassicDefinition>
  /** The OpenAPI document that the definition is the classic form of; absent: it was written by hand. */
  readonly oas?: Json
  /** Texts of the template files that rules name, by that name, as they were read with it; absent: none are named. */
  readonly templateFiles?: ReadonlyMap<string, string>
}
