/** Resolves `env://NAME`, `secrets://NAME` and `echo://PATH` in definitions. Source: docs/reference/secrets.md#secret-notations. */
import { type SecretLookup, vendorForms } from '@turnpike/core/lib'
import type { GatewayConfig } from '../config/config-shape.ts'
import type { Environment } from '../config/environment.ts'

/** Entry of the map `secrets` that is a setting: the prefix of variables that definitions may read. */
const prefixEntry = 'env_prefix'

export function makeSecretLookup(
  environment: Environment,
  { secrets, vendor, echo }: Pick<GatewayConfig, 'secrets' | 'vendor'> & Partial<Pick<GatewayConfig, 'echo'>>,
): SecretLookup {
  const values: Environment = secrets ?? {}
  const prefix = Object.hasOwn(values, prefixEntry) ? (values[prefixEntry] ?? '') : ''
  // `$secret_env` reads these variables, so that they are open to definitions with any prefix.
  const secretPrefix = `${vendorForms(vendor).upper}_SECRET_`
  const echoUrl = echo?.enabled === true ? `http://127.0.0.1:${echo.listenPort}` : undefined
  return (from, name) => {
    if (from === 'echo') return echoUrl
    if (from === 'secrets') return name !== prefixEntry && Object.hasOwn(values, name) ? values[name] : undefined
    const find = (variable: string) => (Object.hasOwn(environment, variable) ? environment[variable] : undefined)
    if (from === 'secret_env') return find(secretPrefix + name.toUpperCase())
    if (!name.startsWith(prefix) && !name.startsWith(secretPrefix)) return undefined
    return find(name)
  }
}
