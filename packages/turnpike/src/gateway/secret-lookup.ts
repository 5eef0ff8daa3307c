/** Resolves `env://NAME` and `secrets://NAME` in definitions. Source: docs/reference/secrets.md#secret-notations. */
import { type SecretLookup, vendorForms } from '@turnpike/core'
import type { GatewayConfig } from '../config/config-shape.ts'
import type { Environment } from '../config/environment.ts'

/** Entry of the map `secrets` that is a setting: the prefix of variables that definitions may read. */
const prefixEntry = 'env_prefix'

export function makeSecretLookup(
  environment: Environment,
  { secrets, vendor }: Pick<GatewayConfig, 'secrets' | 'vendor'>,
): SecretLookup {
  const values: Environment = secrets ?? {}
  const prefix = Object.hasOwn(values, prefixEntry) ? (values[prefixEntry] ?? '') : ''
  // `$secret_env` reads these variables, so that they are open to definitions with any prefix.
  const secretPrefix = `${vendorForms(vendor).upper}_SECRET_`
  return (from, name) => {
    if (from === 'secrets') return name !== prefixEntry && Object.hasOwn(values, name) ? values[name] : undefined
    if (!name.startsWith(prefix) && !name.startsWith(secretPrefix)) return undefined
    return Object.hasOwn(environment, name) ? environment[name] : undefined
  }
}
