/** Replaces secrets in a configuration that is shown. Errs on the side of replacing: the file still has the value. */

const redacted = '*REDACTED*'

const suggestsSecret =
  /secret|password|passwd|private|credential|api_?key|_key$|token$|license|connection_string|^sentry_code$/i

/** Maps that contain secrets under any name. */
const secretMaps: ReadonlySet<string> = new Set(['secrets', 'header_map'])

/** Returns true if the name of a field suggests a secret. `path`: names joined by dots. */
export function isSecretField(path: string): boolean {
  return path.split('.').some((name) => suggestsSecret.test(name))
}

/** The value of a single field. */
export function redactValue(path: string, value: string): string {
  return isSecretField(path) && !isSwitchOrNumber(value) ? (value === '' ? '' : redacted) : withoutUserInfo(value)
}

/** A switch such as `enable_key_logging` and a number such as `min_token_length` are no secrets. */
function isSwitchOrNumber(value: string): boolean {
  return value === 'true' || value === 'false'
}

/** Returns a copy of a configuration without secrets. Numbers and booleans stay, empty texts too. */
export function redactSecrets(value: unknown): unknown {
  return copy(value, false)
}

function copy(value: unknown, isSecret: boolean): unknown {
  if (typeof value === 'string') return isSecret ? (value === '' ? '' : redacted) : withoutUserInfo(value)
  if (Array.isArray(value)) return value.map((entry) => copy(entry, isSecret))
  if (typeof value !== 'object' || value === null) return value
  const out: Record<string, unknown> = Object.create(null)
  for (const [name, entry] of Object.entries(value)) {
    out[name] = secretMaps.has(name) ? null : copy(entry, isSecret || suggestsSecret.test(name))
  }
  return out
}

/** A URL can contain a password: `redis://user:password@host`. */
function withoutUserInfo(text: string): string {
  return text.replace(/(\/\/)[^/@\s]+@/g, `$1${redacted}@`)
}
