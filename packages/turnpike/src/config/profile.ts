/**
 * What `profile: "modern"` sets: the values of keys that a configuration leaves out. Each key can still be set alone.
 * Source: docs/reference/turnpike-keys.md#profiles.
 */
export const modernValues: Readonly<Record<string, unknown>> = {
  rate_limit_headers: 'ietf',
  upstream_errors: '502',
  auth_errors: 'rfc6750',
  jwt_rfc6750_errors: true,
  oauth_rfc6749_errors: true,
  honour_active: true,
  cache_mode: 'rfc9111',
  head_rules: 'rfc9110',
}

/** Completes the members of a configuration file, with the names of the file. */
export function applyProfile(document: Record<string, unknown>): void {
  if (document['profile'] !== 'modern') return
  for (const [key, value] of Object.entries(modernValues)) document[key] ??= value
  // Only where keys are hashed: the function alone changes the form of keys.
  if (document['hash_keys'] === true) document['hash_key_function'] ??= 'sha256'
}
