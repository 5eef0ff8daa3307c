/** Local references of a schema: `#`, JSON pointers (RFC 6901), and `id` or `$id` anchors inside the document. */
import { isObject } from './json-type.ts'

/** Resolves a reference; `undefined` if its target does not exist or is outside the document. */
export function resolvePointer(root: unknown, reference: string): unknown {
  if (reference === '#' || reference === '') return root
  if (reference.startsWith('#/')) return follow(root, reference.slice(2).split('/').map(unescapeToken))
  return findById(root, reference, 0)
}

function follow(root: unknown, tokens: readonly string[]): unknown {
  let at = root
  for (const token of tokens) {
    if (Array.isArray(at)) at = /^\d+$/.test(token) ? at[Number(token)] : undefined
    else if (isObject(at) && Object.hasOwn(at, token)) at = at[token]
    else return undefined
  }
  return at
}

function unescapeToken(token: string): string {
  if (!/[%~]/.test(token)) return token
  let text = token
  try {
    text = decodeURIComponent(token)
  } catch {
    // A percent sign that is not part of an escape is literal.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~')
}

function findById(at: unknown, id: string, depth: number): unknown {
  if (typeof at !== 'object' || at === null || depth > 100) return undefined
  if (isObject(at) && (at['id'] === id || at['$id'] === id)) return at
  for (const child of Object.values(at)) {
    const found = findById(child, id, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}
