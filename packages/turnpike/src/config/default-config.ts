import { sampleSecret } from './keys/server-keys.ts'

/**
 * The configuration that Turnpike writes where a named file does not exist. It is small: what it does not say has
 * its default. Keys are hashed by SHA-256, since the old default can give two keys one name (decisions.md).
 * It listens on loopback, where the well-known management key does no harm.
 */
export function defaultConfigText(): string {
  const config = {
    listen_address: '127.0.0.1',
    listen_port: 8080,
    secret: sampleSecret,
    app_path: 'apps',
    policies: { policy_source: 'file', policy_path: 'policies' },
    data_path: '.turnpike',
    hash_keys: true,
    hash_key_function: 'sha256',
    enable_hashed_keys_listing: true,
  }
  return `${JSON.stringify(config, null, 2)}\n`
}
