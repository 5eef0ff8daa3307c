/** Masks: parts of responses that a comparison ignores. */

/** A parsed mask. */
export type Mask =
  | { readonly part: 'status' }
  /** Without a pattern, the header is ignored. With a pattern, its matches are. */
  | { readonly part: 'header'; readonly name: string; readonly pattern: RegExp | undefined }
  | { readonly part: 'body'; readonly pattern: RegExp | undefined }
  /** Steps of a JSON pointer (RFC 6901); `*` is every member or item. */
  | { readonly part: 'json'; readonly steps: readonly string[] }

const forms =
  'status, header:NAME, header:NAME:/PATTERN/, body, body:/PATTERN/ or json:/POINTER (* is any member or item)'

/**
 * Parses a mask: `status`, `header:Date`, `header:Set-Cookie:/id=\w+/`, `body`, `body:/\d+ ms/`, `json:/items/0/id`.
 * Throws a `TypeError` that lists the forms if the text is not a mask.
 */
export function parseMask(text: string): Mask {
  if (text === 'status') return { part: 'status' }
  if (text === 'body') return { part: 'body', pattern: undefined }
  const [, part, rest = ''] = /^(header|body|json):(.+)$/s.exec(text) ?? []
  if (part === 'body') return { part, pattern: patternOf(text, rest) }
  if (part === 'json' && rest.startsWith('/')) {
    const steps = rest.slice(1).split('/')
    return { part, steps: steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')) }
  }
  const [, name, pattern] = /^([!#$%&'*+.^_`|~\w-]+)(?::(.+))?$/s.exec(rest) ?? []
  if (part === 'header' && name !== undefined) {
    return {
      part,
      name: name.toLowerCase(),
      pattern: pattern === undefined ? undefined : patternOf(text, pattern),
    }
  }
  throw new TypeError(`"${text}" is not a mask; write ${forms}`)
}

function patternOf(mask: string, text: string): RegExp {
  const [, source, flags = ''] = /^\/(.+)\/([imsu]*)$/s.exec(text) ?? []
  if (source === undefined) throw new TypeError(`"${mask}" is not a mask; write ${forms}`)
  try {
    return new RegExp(source, `g${flags}`)
  } catch (cause) {
    throw new TypeError(`the pattern of the mask "${mask}" is invalid: ${(cause as Error).message}`)
  }
}

/** What replaces a masked text. */
const masked = '***'

/** Returns the value of a header without its masked parts, or `undefined` if masks ignore the header. */
export function maskHeader(name: string, value: string | undefined, masks: readonly Mask[]): string | undefined {
  let left = value
  for (const mask of masks) {
    if (mask.part !== 'header' || mask.name !== name) continue
    if (mask.pattern === undefined) return undefined
    left = left?.replace(mask.pattern, masked)
  }
  return left
}

/** Returns true if a mask ignores the whole status or the whole body. */
export function ignores(part: 'status' | 'body', masks: readonly Mask[]): boolean {
  return masks.some((mask) => mask.part === part && (mask.part !== 'body' || mask.pattern === undefined))
}

/** Returns the text of a body without its masked parts. A body with a JSON mask is formatted in one way. */
export function maskBody(text: string, masks: readonly Mask[]): string {
  let left = text
  const pointers = masks.flatMap((mask) => (mask.part === 'json' ? [mask.steps] : []))
  if (pointers.length > 0) left = maskJson(left, pointers)
  for (const mask of masks) {
    if (mask.part === 'body' && mask.pattern !== undefined) left = left.replace(mask.pattern, masked)
  }
  return left
}

function maskJson(text: string, pointers: readonly (readonly string[])[]): string {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return text
  }
  for (const steps of pointers) json = withoutPointer(json, steps)
  return JSON.stringify(json)
}

function withoutPointer(json: unknown, steps: readonly string[]): unknown {
  const [step, ...rest] = steps
  if (step === undefined) return masked
  if (typeof json !== 'object' || json === null) return json
  const entries = Object.entries(json).map(([name, value]) => [
    name,
    step === '*' || step === name ? withoutPointer(value, rest) : value,
  ])
  return Array.isArray(json) ? entries.map(([, value]) => value) : Object.fromEntries(entries)
}
