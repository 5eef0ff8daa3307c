/** What `env://NAME` and `secrets://NAME` in definitions stand for. Source: spec/config-and-ops.md 1.1. */
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
