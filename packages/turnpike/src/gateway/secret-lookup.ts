/** Resolves `env://NAME` and `secrets://NAME` in definitions. Source: docs/reference/startup.md#secret-references. */
import type { SecretLookup } from '@turnpike/core'
import type { Environment } from '../config/environment.ts'

export function makeSecretLookup(
  environment: Environment,
  secrets: Readonly<Record<string, string>> | null,
): SecretLookup {
  return (from, name) => {
    const values: Environment = from === 'env' ? environment : (secrets ?? {})
    return Object.hasOwn(values, name) ? values[name] : undefined
  }
}
