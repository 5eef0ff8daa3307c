/** The key that a request shows, and the spellings that mean the same key. */

/** The organisation that a full key name begins with: `acme.blue` is the full name of `blue`. */
const organisation = 'acme.'

/**
 * The one name of all spellings of a key: without the scheme `Bearer`, blanks and the organisation, in lower case.
 * Returns `undefined` if the header is missing or empty.
 */
export function keyNameOf(header: string | undefined): string | undefined {
  const key = (header ?? '')
    .trim()
    .replace(/^bearer\s+/i, '')
    .toLowerCase()
  return (key.startsWith(organisation) ? key.slice(organisation.length) : key) || undefined
}
