/**
 * Validates definitions for the management API, which returns the first failure. `lint-definition.ts` finds settings
 * that are valid but probably wrong. Source: docs/reference/api-management.md#validation.
 */
import { authModes } from './auth-modes/auth-modes.ts'
import type { AuthConfig, ClassicDefinition } from './classic.ts'
import { isAddressOrRange } from './ip-text.ts'
import { isUnresolved } from './resolve-secrets.ts'

type Rule = (document: ClassicDefinition) => string | undefined

const rules: readonly Rule[] = [authSources, addressLists, hardTimeouts, upstreamAuth, loadBalancing]

/** The message of the first rule that fails; `undefined`: the definition may be stored. */
export function validateDefinition(document: ClassicDefinition): string | undefined {
  for (const rule of rules) {
    const reason = rule(document)
    if (reason !== undefined) return reason
  }
  return undefined
}

function authSources(document: ClassicDefinition): string | undefined {
  for (const name of Object.keys(document.authConfigs ?? {}).sort()) {
    const mode = authModes.find(({ configName }) => configName === name)
    const config = document.authConfigs?.[name]
    if (!mode?.needsPlace(document) || config === undefined || !hasNoSource(config)) continue
    return `all auth sources are disabled for ${name}, at least one of header/cookie/query must be enabled`
  }
  return undefined
}

/** Whether all sources of the credential are switched off. */
export function hasNoSource(config: AuthConfig): boolean {
  return config.disableHeader && !config.useParam && !config.useCookie
}

function addressLists(document: ClassicDefinition): string | undefined {
  const lists = [
    document.enableIpWhitelisting ? document.allowedIps : null,
    document.enableIpBlacklisting ? document.blacklistedIps : null,
  ]
  for (const list of lists) {
    // The value of a reference is known only when the gateway loads the definition.
    const invalid = list?.find((entry) => !isAddressOrRange(entry) && !isUnresolved(entry))
    if (invalid !== undefined) return `invalid IP/CIDR "${invalid}"`
  }
  return undefined
}

function hardTimeouts(document: ClassicDefinition): string | undefined {
  for (const version of Object.values(document.versionData.versions ?? {})) {
    if (version.extendedPaths.hardTimeouts?.some((rule) => rule.timeout < 0)) return 'invalid timeout value'
  }
  return undefined
}

function upstreamAuth(document: ClassicDefinition): string | undefined {
  const auth = document.upstreamAuth
  const several = auth?.enabled === true && auth.basicAuth.enabled && auth.oauth.enabled
  return several ? 'multiple upstream authentication modes not allowed' : undefined
}

function loadBalancing({ proxy }: ClassicDefinition): string | undefined {
  const { enableLoadBalancing, serviceDiscovery, targetList } = proxy
  const unable =
    enableLoadBalancing && !serviceDiscovery.useDiscoveryService && (targetList === null || targetList.length === 0)
  return unable ? 'all load balancing targets have weight 0, at least one target must have weight > 0' : undefined
}
