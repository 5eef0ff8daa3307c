/**
 * Turns a classic document into what the engine works with: defaults filled in, switched-off parts left out, dates
 * and choices made once. Nothing here can fail; what cannot be served is found before, in `serving-problem.ts`.
 */

import { anyPort, type PortRules } from '../http/listening.ts'
import type { Json } from '../lib/json.ts'
import { deepFreeze } from '../lib/shape/deep-freeze.ts'
import type { ApiDefinition, ApiVersion, HeaderRules } from './api-definition.ts'
import { authModesOf, credentialPlacesOf } from './auth-modes/auth-modes.ts'
import type { ClassicDefinition, VersionDocument } from './classic.ts'
import { listensOn } from './listen-port.ts'
import { parseExpiry } from './version-expiry.ts'
import { pathRulesOf } from './version-path-rules.ts'
import { familyOf, versioningOf } from './versioning-of.ts'

/** Where a definition comes from. */
export interface Origin {
  readonly source: string
  readonly hash: string
  /** The OpenAPI document that it is the classic form of. */
  readonly oas?: Json | undefined
  /** Which ports are the gateway's. Default: none. */
  readonly ports?: PortRules | undefined
}

/** The document as an `ApiDefinition`, deep frozen, the document with it. */
export function normaliseDefinition(document: ClassicDefinition, origin: Origin): ApiDefinition {
  const { versioning, chosen } = versioningOf(document)
  return deepFreeze<ApiDefinition>({
    id: document.apiId,
    name: document.name,
    orgId: document.orgId,
    hash: origin.hash,
    source: origin.source,
    listenPath: withLeadingSlash(document.proxy.listenPath),
    ...listensOn(document, origin.ports ?? anyPort),
    domain: document.domainDisabled ? '' : bareDomain(document.domain),
    internal: document.internal,
    active: document.active,
    authModes: authModesOf(document),
    tokenPlaces: credentialPlacesOf(document, 'token'),
    stripAuthData: document.stripAuthData,
    versioning,
    family: familyOf(document),
    expiresAt: parseExpiry(document.expiration),
    versions: versionsOf(
      document,
      versioning.kind === 'named' ? undefined : chosen,
      versioning.kind === 'missing-default',
    ),
    document,
    ...(origin.oas === undefined ? {} : { oas: origin.oas }),
  })
}

function versionsOf(
  document: ClassicDefinition,
  only: string | undefined,
  none: boolean,
): ReadonlyMap<string, ApiVersion> {
  const versions = new Map<string, ApiVersion>()
  if (none) return versions
  for (const [name, version] of Object.entries(document.versionData.versions ?? {})) {
    // Frozen here: the freezing of the definition does not look into a Map.
    if (only === undefined || name === only) versions.set(name, deepFreeze(versionOf(name, version)))
  }
  return versions
}

function versionOf(name: string, version: VersionDocument): ApiVersion {
  return {
    name,
    expiresAt: parseExpiry(version.expires),
    paths: pathRulesOf(version),
    ignoreCase: version.ignoreEndpointCase,
    globalHeaders: version.globalHeadersDisabled
      ? noHeaderRules
      : headerRules(version.globalHeadersRemove, version.globalHeaders),
    globalResponseHeaders: version.globalResponseHeadersDisabled
      ? noHeaderRules
      : headerRules(version.globalResponseHeadersRemove, version.globalResponseHeaders),
    sizeLimit: version.globalSizeLimitDisabled ? 0 : Math.max(0, version.globalSizeLimit),
    overrideTarget: version.overrideTarget,
  }
}

const noHeaderRules: HeaderRules = deepFreeze({ remove: [], add: [] })

function headerRules(remove: readonly string[] | null, add: Readonly<Record<string, string>> | null): HeaderRules {
  if (remove === null && add === null) return noHeaderRules
  return { remove: remove ?? [], add: Object.entries(add ?? {}) }
}

function withLeadingSlash(path: string): string {
  return path.startsWith('/') ? path : `/${path}`
}

/** Lower case and without port: the port of a Host header is not looked at (4.10). */
function bareDomain(domain: string): string {
  return domain.trim().toLowerCase().replace(/:\d+$/, '')
}
