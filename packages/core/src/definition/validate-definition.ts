/**
 * What the management API refuses to store. Only the first failure is told, in this order of rules.
 * Source: spec/apis-and-pipeline.md 1.1, step 3. What is merely unwise is found by `lint-definition.ts`.
 */
import { authModes } from './auth-modes/auth-modes.ts'
import type { AuthConfig, ClassicDefinition } from './classic.ts'
import { isAddressOrRange } from './ip-text.ts'

type Rule = (document: ClassicDefinition) => string | undefined

const rules: readonly Rule[] = [authSources, addressLists, hardTimeouts, upstreamAuth, loadBalancing]

/** The reason of the first rule that is broken; `undefined` when the definition may be stored. */
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

/** Whether a credential could be read nowhere. */
export function hasNoSource(config: AuthConfig): boolean {
  return config.disableHeader && !config.useParam && !config.useCookie
}

function addressLists(document: ClassicDefinition): string | undefined {
  const lists = [
    document.enableIpWhitelisting ? document.allowedIps : null,
    document.enableIpBlacklisting ? document.blacklistedIps : null,
  ]
  for (const list of lists) {
    const broken = list?.find((entry) => !isAddressOrRange(entry))
    if (broken !== undefined) return `invalid IP/CIDR "${broken}"`
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
  const auth = memberOf(document, 'upstreamAuth')
  const on = ['basic_auth', 'oauth'].filter((mode) => memberOf(memberOf(auth, mode), 'enabled') === true)
  const several = memberOf(auth, 'enabled') === true && on.length > 1
  return several ? 'multiple upstream authentication modes not allowed' : undefined
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

function loadBalancing({ proxy }: ClassicDefinition): string | undefined {
  const unable = proxy.enableLoadBalancing && (proxy.targetList === null || proxy.targetList.length === 0)
  return unable ? 'all load balancing targets have weight 0, at least one target must have weight > 0' : undefined
}
