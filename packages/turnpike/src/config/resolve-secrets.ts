/**
 * Resolves references in credentials of the configuration: `env://NAME` reads the variable `SVC_SECRET_NAME`, where SVC is
 * the vendor word, and `secrets://name` the map `secrets`. Source: docs/reference/secrets.md#secret-notations.
 */
import { makeNote, type Note } from '@turnpike/core/definition'
import { vendorForms } from '@turnpike/core/lib'
import type { GatewayConfig } from './config-shape.ts'
import type { Environment } from './environment.ts'

/** Replaces references in `config`, in place. Returns findings about references without a value. */
export function resolveSecrets(config: GatewayConfig, environment: Environment): Note[] {
  const notes: Note[] = []
  const resolve = (path: readonly string[], value: string): string => {
    const reference = parseReference(value, config.vendor)
    if (reference === undefined) return value
    const found = findValue(reference, environment, config.secrets)
    if (found === undefined) notes.push(noteOf(reference, path))
    return found ?? ''
  }
  config.secret = resolve(['secret'], config.secret)
  config.nodeSecret = resolve(['node_secret'], config.nodeSecret)
  config.records.mongodb.url = resolve(['records', 'mongodb', 'url'], config.records.mongodb.url)
  const { security, policies } = config
  security.privateCertificateEncodingSecret = resolve(
    ['security', 'private_certificate_encoding_secret'],
    security.privateCertificateEncodingSecret,
  )
  policies.policyConnectionString = resolve(['policies', 'policy_connection_string'], policies.policyConnectionString)
  const { headers } = config.opentelemetry
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (headers !== null) headers[name] = resolve(['opentelemetry', 'headers', name], value)
  }
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

interface Reference {
  readonly written: string
  readonly from: 'env' | 'secrets'
  /** Name of the variable or of the entry. */
  readonly name: string
}

function parseReference(value: string, vendor: string): Reference | undefined {
  if (value.startsWith('env://')) {
    const name = `${vendorForms(vendor).upper}_SECRET_${value.slice('env://'.length).toUpperCase()}`
    return { written: value, from: 'env', name }
  }
  if (!value.startsWith('secrets://')) return undefined
  return { written: value, from: 'secrets', name: value.slice('secrets://'.length) }
}

/** A variable that is set but empty counts as missing. */
function findValue(
  { from, name }: Reference,
  environment: Environment,
  secrets: Readonly<Record<string, string>> | null,
): string | undefined {
  if (from === 'env') return environment[name] || undefined
  return secrets !== null && Object.hasOwn(secrets, name) ? secrets[name] : undefined
}

/** A missing variable counts as an empty text, except for the management secret, which must not be empty by accident. */
function noteOf({ written, from, name }: Reference, path: readonly string[]): Note {
  if (from === 'secrets') return makeNote('secret-not-in-map', path, { reference: written })
  const id = path[0] === 'secret' ? 'secret-variable-not-set' : 'credential-variable-not-set'
  return makeNote(id, path, { reference: written, name })
}
