/**
 * Looks up a secret by its name. `undefined` means that the secret is not set; it is then replaced by an empty text.
 * `secret_env` is the variable `SVC_SECRET_` and the name in capitals, with the vendor word. `echo` has no name and is not secret: it is the URL of the built-in echo upstream, without a slash at the end.
 */
export type SecretLookup = (from: 'env' | 'secret_env' | 'secrets' | 'echo', name: string) => string | undefined

/** Shorter values of variables, such as a port or the path `/`, are shown: without them outputs are useless. */
const minHiddenLength = 4

/** The same lookup, which adds each value that outputs must hide to a set. */
export function collectingLookup(lookup: SecretLookup, hidden: Set<string>): SecretLookup {
  return (from, name) => {
    const value = lookup(from, name)
    const isVariable = from === 'env' || from === 'secret_env'
    const isSecret = from === 'secrets' || (isVariable && (value?.length ?? 0) >= minHiddenLength)
    if (value !== undefined && isSecret) hidden.add(value)
    return value
  }
}
