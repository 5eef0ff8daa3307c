import { sampleSecret } from './keys/server-keys.ts'

/**
 * Returns the configuration that `turnpike start` writes if the named file does not exist. It hashes keys with
 * SHA-256, because two keys can collide with the compatible default, a 32-bit hash. It listens on loopback, because
 * the management key is the publicly known sample key.
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
