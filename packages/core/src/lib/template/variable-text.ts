/**
 * Texts of a definition that may contain variables: `$svc_context.<name>`, `$svc_meta.<key>`, `$secret_env.<name>`,
 * `$secret_conf.<name>`. They are split into pieces when the API is compiled; a request only joins the pieces. Source:
 * docs/reference/transforms.md#variables.
 *
 * Only variables in the definition itself are replaced. Inserted values are not scanned for variables, so a client
 * cannot read a secret by sending its name in a header or in metadata.
 */
import type { SecretLookup } from '../secret-lookup.ts'

/** Provides the values of one request; an unknown name gives an empty text. */
export interface VariableSource {
  contextText(name: string): string
  metaText(key: string): string
}

export interface VariableText {
  /** The complete text if it contains no variable of the request. */
  readonly constant: string | undefined
  /** Returns the text with its values; `encode` is applied to each value, not to the text around it. */
  resolve(source: VariableSource, encode?: (value: string) => string): string
}

export interface VariableWords {
  /** Vendor word, lower case. */
  readonly vendor: string
  /** If absent, secrets are empty. */
  readonly secret?: SecretLookup | undefined
}

/** Resolves a piece. Secrets do not change between requests, so they are read once and become text. */
export type VariablePiece = string | { readonly kind: 'context' | 'meta'; readonly name: string }

export function compileVariableText(text: string, words: VariableWords): VariableText {
  const pieces = cutVariables(text, words)
  const constant = pieces.every((piece) => typeof piece === 'string') ? pieces.join('') : undefined
  return {
    constant,
    resolve(source, encode) {
      if (constant !== undefined) return constant
      let out = ''
      for (const piece of pieces) out += typeof piece === 'string' ? piece : pieceText(piece, source, encode)
      return out
    },
  }
}

/** Splits a text at its variables and inserts the secrets. */
export function cutVariables(text: string, { vendor, secret }: VariableWords): VariablePiece[] {
  if (!text.includes('$')) return [text]
  const pieces: VariablePiece[] = []
  const pattern = new RegExp(`\\$(?:${escapeForPattern(vendor)}_(context|meta)|secret_(env|conf))\\.([\\w.-]+)`, 'g')
  let from = 0
  for (const match of text.matchAll(pattern)) {
    const [whole, kind, store, name] = match
    if (match.index > from) pieces.push(text.slice(from, match.index))
    if (kind === 'context' || kind === 'meta') pieces.push({ kind, name: name as string })
    else pieces.push(secretText(store, name as string, { vendor, secret }))
    from = match.index + whole.length
  }
  if (from < text.length) pieces.push(text.slice(from))
  return pieces
}

export function pieceText(
  piece: Exclude<VariablePiece, string>,
  source: VariableSource,
  encode?: (value: string) => string,
): string {
  const value = piece.kind === 'context' ? source.contextText(piece.name) : source.metaText(piece.name)
  return encode === undefined ? value : encode(value)
}

/** `$secret_env.NAME` reads only variables with the prefix of the vendor, such as `SVC_SECRET_NAME`. */
function secretText(store: string | undefined, name: string, { vendor, secret }: VariableWords): string {
  const value = store === 'env' ? secret?.('env', `${vendor}_SECRET_${name}`.toUpperCase()) : secret?.('secrets', name)
  return value ?? ''
}

const escapeForPattern = (word: string) => word.replace(/[^\w]/g, '\\$&')
