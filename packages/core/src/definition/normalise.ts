/**
 * Converts a classic document to an `ApiDefinition`: fills in defaults, leaves out disabled parts and parses dates. It
 * cannot fail, because `serving-problem.ts` has already rejected definitions that are invalid for serving.
 */

import { anyPort, type PortRules } from '../http/listen-address.ts'
import type { Json } from '../lib/json.ts'
import { deepFreeze } from '../lib/shape/deep-freeze.ts'
import type {
  ApiDefinition,
  ApiVersion,
  DefinitionSecrets,
  HeaderRules,
  PathRules,
  Unsupported,
  Versioning,
} from './api-definition.ts'
import { authModesOf, credentialPlacesOf } from './auth-modes/auth-modes.ts'
import type { ClassicDefinition } from './classic.ts'
import { listensOn } from './listen-port.ts'
import { withMcpRules } from './mcp/document-rules.ts'
import { authGroupsOf } from './openapi/security-groups.ts'
import { familyOf, versioningOf } from './read-versioning.ts'
import { parseExpiry } from './version-expiry.ts'
import { pathRulesOf } from './version-path-rules.ts'
import type { VersionDocument } from './version-shape.ts'

/** Where a definition comes from. */
export interface Origin {
  readonly source: string
  readonly hash: string
  /** The OpenAPI document from which the definition was derived. */
  readonly oas?: Json | undefined
  /** The gateway's extension in that document. */
  readonly extension?: Json | undefined
  /** Path rules in the document of an MCP proxy. */
  readonly mcpRules?: PathRules | undefined
  /** Set if the files refer to secrets. */
  readonly secrets?: DefinitionSecrets | undefined
  /** Fields of the files that the gateway does not know. Default: none. */
  readonly unknownFields?: readonly Unsupported[]
  /** TCP ports of the gateway. Default: none. */
  readonly ports?: PortRules | undefined
}

/** Converts a document, and freezes the result and the document deeply. */
export function normaliseDefinition(document: ClassicDefinition, origin: Origin): ApiDefinition {
  const { versioning, chosen } = versioningOf(document)
  const authGroups = authGroupsOf(document, origin.oas, origin.extension)
  return deepFreeze<ApiDefinition>({
    id: document.apiId,
    name: document.name,
    orgId: document.orgId,
    hash: origin.hash,
    source: origin.source,
    listenPath: withLeadingSlash(document.proxy.listenPath),
    ...listensOn(document, origin.ports ?? anyPort),
    domain: document.domainDisabled ? '' : document.domain.trim().toLowerCase(),
    internal: document.internal,
    active: document.active,
    authModes: authModesOf(document),
    ...(authGroups === undefined ? {} : { authGroups }),
    tokenPlaces: credentialPlacesOf(document, 'token'),
    stripAuthData: document.stripAuthData,
    versioning,
    family: familyOf(document),
    expiresAt: parseExpiry(document.expiration),
    versions: versionsOf(document, versioning, chosen, origin.mcpRules),
    document,
    ...(origin.oas === undefined ? {} : { oas: origin.oas }),
    ...(origin.secrets === undefined ? {} : { secrets: origin.secrets }),
    ...(origin.unknownFields === undefined || origin.unknownFields.length === 0
      ? {}
      : { unknownFields: origin.unknownFields }),
  })
}

function versionsOf(
  document: ClassicDefinition,
  versioning: Versioning,
  chosen: string | undefined,
  mcpRules: PathRules | undefined,
): ReadonlyMap<string, ApiVersion> {
  const versions = new Map<string, ApiVersion>()
  const isVersioned = versioning.kind === 'named'
  for (const [name, version] of Object.entries(document.versionData.versions ?? {})) {
    if (!isVersioned && name !== chosen) continue
    const made = versionOf(name, version, mcpRules)
    // `deepFreeze` of the definition does not reach the values of a Map.
    versions.set(name, deepFreeze(isVersioned ? made : Object.assign({}, made, { overrideTarget: '' })))
  }
  return versions
}

function versionOf(name: string, version: VersionDocument, mcpRules: PathRules | undefined): ApiVersion {
  const paths = pathRulesOf(version)
  return {
    name,
    expiresAt: parseExpiry(version.expires),
    paths: mcpRules === undefined ? paths : withMcpRules(paths, mcpRules),
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
