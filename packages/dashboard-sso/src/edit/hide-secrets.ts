/**
 * Secrets in documents that the page edits. The page gets a placeholder for each; a saved document gets the secrets of the
 * stored one back. A placeholder is a keyed digest of its secret, so a secret can be moved within the document.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { printJsonPath } from '@turnpike/core/lib'

export interface SecretHider {
  /** A copy of the document with placeholders. */
  hide(document: unknown): unknown
  /** The problem names the field of a placeholder that belongs to no secret of `stored`. */
  restore(edited: unknown, stored: unknown): { readonly document: unknown } | { readonly problem: string }
}

const secretName =
  /secret|passw|private_?key|api_?key$|credential|^authorization$|^proxy-authorization$|_token$|^token$|^jwt_?source$|^hmac_string$|^rsa_string$/i
/** The source of keys of the OpenAPI notation, `jwt.source`. */
const jwtSource = /^source$/i
const placeholder = /^\[hidden [0-9a-f]{12}\]$/

export function makeSecretHider(): SecretHider {
  const key = randomBytes(32)
  const placeholderOf = (secret: string) =>
    `[hidden ${createHmac('sha256', key).update(secret).digest('hex').slice(0, 12)}]`

  const collect = (value: unknown, name: string, into: Map<string, string>): void => {
    if (typeof value === 'string') {
      if (isSecret(name, value)) into.set(placeholderOf(value), value)
    } else if (Array.isArray(value)) {
      for (const entry of value) collect(entry, name, into)
    } else if (typeof value === 'object' && value !== null) {
      for (const [member, entry] of Object.entries(value)) collect(entry, member, into)
    }
  }

  return {
    hide: (document) => mapTexts(document, '', [], (text, name) => (isSecret(name, text) ? placeholderOf(text) : text)),
    restore(edited, stored) {
      const secrets = new Map<string, string>()
      collect(stored, '', secrets)
      let problem: string | undefined
      const document = mapTexts(edited, '', [], (text, _, path) => {
        if (!placeholder.test(text)) return text
        const secret = secrets.get(text)
        if (secret === undefined) {
          problem ??= `${printJsonPath(path)}: the placeholder ${text} has no stored value; enter the value`
        }
        return secret ?? text
      })
      return problem === undefined ? { document } : { problem }
    },
  }
}

/** References are shown, and so are URLs of key sets and empty texts. */
function isSecret(name: string, value: string): boolean {
  if (value === '' || /^(env|secrets|vault|consul):\/\//.test(value)) return false
  if (jwtSource.test(name) || /^jwt_?source$/i.test(name)) return !/^https?:\/\//.test(value)
  return secretName.test(name)
}

type Path = (string | number)[]

function mapTexts(
  value: unknown,
  name: string,
  path: Path,
  change: (text: string, name: string, path: Path) => string,
): unknown {
  if (typeof value === 'string') return change(value, name, path)
  if (Array.isArray(value)) return value.map((entry, i) => mapTexts(entry, name, [...path, i], change))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([member, entry]) => [
    member,
    mapTexts(entry, member, [...path, member], change),
  ])
  return Object.fromEntries(members)
}
