/** Resolves `env://NAME` and `secrets://NAME` in credentials. Source: docs/reference/startup.md#secret-references. */
import type { ConfigNote } from './config-note.ts'
import type { GatewayConfig } from './config-shape.ts'
import type { Environment } from './environment.ts'

/** Returns the value of a reference; `undefined` if it does not exist. Returns other texts unchanged. */
export function lookUpReference(
  value: string,
  environment: Environment,
  secrets: Readonly<Record<string, string>> | null,
): string | undefined {
  if (value.startsWith('env://')) return environment[value.slice('env://'.length)]
  if (!value.startsWith('secrets://')) return value
  const name = value.slice('secrets://'.length)
  return secrets !== null && Object.hasOwn(secrets, name) ? secrets[name] : undefined
}

/** Replaces references in `config`, in place. Returns findings about references without a value. */
export function resolveSecrets(config: GatewayConfig, environment: Environment): ConfigNote[] {
  const notes: ConfigNote[] = []
  const resolve = (path: readonly string[], value: string): string => {
    const found = lookUpReference(value, environment, config.secrets)
    if (found !== undefined) return found
    notes.push({ severity: 'error', path, reason: `${value} leads to no value`, fix: 'set it before the start' })
    return ''
  }
  config.secret = resolve(['secret'], config.secret)
  config.nodeSecret = resolve(['node_secret'], config.nodeSecret)
  config.records.mongodb.url = resolve(['records', 'mongodb', 'url'], config.records.mongodb.url)
  const stores = [
    ['storage', config.storage],
    ['analytics_storage', config.analyticsStorage],
    ['cache_storage', config.cacheStorage],
  ] as const
  for (const [name, store] of stores) {
    store.password = resolve([name, 'password'], store.password)
    store.sentinelPassword = resolve([name, 'sentinel_password'], store.sentinelPassword)
  }
  return notes
}
