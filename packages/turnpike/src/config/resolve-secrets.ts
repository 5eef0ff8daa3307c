/** Values `env://NAME` and `secrets://NAME` of the keys that may hold a credential. Source: spec/config-and-ops.md 1.1. */
import type { ConfigNote } from './config-note.ts'
import type { GatewayConfig } from './config-shape.ts'
import type { Environment } from './environment.ts'

/** Looks a reference up; `undefined` when there is no such value. Texts that are none are answered as they are. */
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

/** Puts the values in, and answers which references lead nowhere. The configuration is changed. */
export function resolveSecrets(config: GatewayConfig, environment: Environment): ConfigNote[] {
  const notes: ConfigNote[] = []
  const resolve = (path: readonly string[], value: string): string => {
    const found = lookUpReference(value, environment, config.secrets)
    if (found !== undefined) return found
    notes.push({ severity: 'error', path, reason: `${value} leads to no value`, wayOut: 'set it before the start' })
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
