/**
 * Replaces fields and texts that look like credentials before they are logged. This is an additional protection only:
 * callers must not log credentials.
 */

/** Replacement of a credential. */
export const redacted = '[redacted]'

// Compared in lower case without separators. `key` and `api_key` are missing because these fields contain the log name
// of a key, not the key.
const credentialNames = new Set(
  [
    'authorization proxyauthorization authentication cookie setcookie password passwd pass secret clientsecret',
    'nodesecret adminsecret managementsecret token accesstoken refreshtoken idtoken authtoken bearer jwt nonce',
    'authorizationcode authcode clientassertion codeverifier privatekey sharedsecret hmacstring hmacsecret apisecret',
    'xapikey xauthtoken credential credentials sessionid apikeyraw keyraw',
  ]
    .join(' ')
    .split(' '),
)

/** Returns true if a field with this name is treated as a credential. Case and separators are ignored. */
export function isCredentialName(name: string): boolean {
  const bare = name.toLowerCase().replace(/[-_. ]/g, '')
  return (
    credentialNames.has(bare) || bare.endsWith('authorization') || bare.endsWith('secret') || bare.endsWith('password')
  )
}

const schemes = /\b(bearer|basic|digest)\s+[\w.~+/=-]{6,}/gi
const pairs =
  /([?&;\s"']|^)((?:access_|refresh_|id_|auth_)?token|(?:client_|node_)?secret|password|passwd|authorization|code_verifier|client_assertion|apikey|api_key)(["']?\s*[=:]\s*["']?)([^\s&;"',}]+)/gi
// The repetitions are bounded, so that the time is linear in the length of the text.
const userInUrl = /(\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]{0,500}):[^\s/@]{1,500}@/gi

/** Longer texts are cut: a client chooses the length of some values. */
const maxTextLength = 8192

/** Redacts authorization schemes, `name=value` pairs of credentials, and passwords in URLs. */
export function redactText(given: string): string {
  const text = given.length <= maxTextLength ? given : `${given.slice(0, maxTextLength)}… (${given.length} characters)`
  if (!mayHoldCredential(text)) return text
  return text
    .replace(schemes, `$1 ${redacted}`)
    .replace(pairs, `$1$2$3${redacted}`)
    .replace(userInUrl, `$1:${redacted}@`)
}

// Skips the three regular expressions for texts without a character that each match contains.
function mayHoldCredential(text: string): boolean {
  return text.includes('=') || text.includes(':') || text.includes(' ')
}

/**
 * Returns a value that may be logged: errors become their message, nested credentials are redacted, and deeply nested
 * values and long arrays are truncated to limit the length of a line.
 */
export function redactValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Error) return redactText(messageOf(value))
  if (value instanceof Uint8Array) return `${value.length} bytes`
  if (depth === 4) return '…'
  if (Array.isArray(value)) return value.slice(0, 100).map((entry) => redactValue(entry, depth + 1))
  const out: Record<string, unknown> = Object.create(null)
  for (const [name, entry] of Object.entries(value)) out[name] = redactField(name, entry, depth + 1)
  return out
}

/** Returns the value of one field as it may be logged. */
export function redactField(name: string, value: unknown, depth = 0): unknown {
  if (isCredentialName(name) && value !== undefined && value !== '' && typeof value !== 'boolean') return redacted
  return redactValue(value, depth)
}

function messageOf(error: Error): string {
  const cause = error.cause instanceof Error ? `: ${messageOf(error.cause)}` : ''
  return (error.message || error.name) + cause
}
