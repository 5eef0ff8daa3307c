/**
 * The last line of defence of the log: fields and texts that look like credentials are blotted out before they are
 * written. Nothing may rely on it; whoever logs leaves credentials out in the first place.
 */

/** What stands in place of a credential. */
export const blot = '[redacted]'

// Compared without case, dashes and underscores. `key` and `api_key` are not here: they hold
// the name under which a key may be logged.
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

/** Whether a field of this name is taken for a credential, whatever its case and separators. */
export function isCredentialName(name: string): boolean {
  const bare = name.toLowerCase().replace(/[-_. ]/g, '')
  return (
    credentialNames.has(bare) || bare.endsWith('authorization') || bare.endsWith('secret') || bare.endsWith('password')
  )
}

const schemes = /\b(bearer|basic|digest)\s+[\w.~+/=-]{6,}/gi
const pairs =
  /([?&;\s"']|^)((?:access_|refresh_|id_|auth_)?token|(?:client_|node_)?secret|password|passwd|authorization|code_verifier|client_assertion|apikey|api_key)(["']?\s*[=:]\s*["']?)([^\s&;"',}]+)/gi
const userInUrl = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*):[^\s/@]+@/gi

/** A text with everything blotted out that looks like a credential: schemes, `name=value` pairs, passwords in URLs. */
export function redactText(text: string): string {
  if (!mayHoldCredential(text)) return text
  return text.replace(schemes, `$1 ${blot}`).replace(pairs, `$1$2$3${blot}`).replace(userInUrl, `$1:${blot}@`)
}

// Most lines hold none: one look at the characters that every pattern needs spares them three passes.
function mayHoldCredential(text: string): boolean {
  return text.includes('=') || text.includes(':') || text.includes(' ')
}

/**
 * A value as it may be logged: errors become their message, nested credentials are blotted out, and what is too deep
 * is cut, so that no object can make a line endless.
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

/** One field as it may be logged. */
export function redactField(name: string, value: unknown, depth = 0): unknown {
  if (isCredentialName(name) && value !== undefined && value !== '' && typeof value !== 'boolean') return blot
  return redactValue(value, depth)
}

function messageOf(error: Error): string {
  const cause = error.cause instanceof Error ? `: ${messageOf(error.cause)}` : ''
  return (error.message || error.name) + cause
}
