/** Names of methods and header fields. */

const token = /^[\w!#$%&'*+\-.^`|~]+$/

/** Returns true if the text is a token, as names of methods and header fields must be (RFC 9110, 5.1, 5.6.2 and 9.1). */
export function isToken(text: string): boolean {
  return token.test(text)
}

/** Canonical form of a header name, which texts for people and compatible formats use: `x-rate-limit` becomes `X-Rate-Limit`. */
export function canonicalName(name: string): string {
  return canonicalNames.get(name) ?? makeCanonical(name)
}

function makeCanonical(name: string): string {
  return name.toLowerCase().replace(/(^|-)[a-z]/g, (start) => start.toUpperCase())
}

/** Names that most responses have, because a batch converts the names of hundreds of responses at once. */
const canonicalNames: ReadonlyMap<string, string> = new Map(
  [
    'age',
    'cache-control',
    'connection',
    'content-encoding',
    'content-length',
    'content-type',
    'date',
    'etag',
    'expires',
    'keep-alive',
    'last-modified',
    'location',
    'server',
    'set-cookie',
    'vary',
    'x-ratelimit-limit',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
  ].map((name) => [name, makeCanonical(name)]),
)
