/**
 * Looks up a secret by its name. `undefined` means that the secret is not set; it is then replaced by an empty text.
 */
export type SecretLookup = (from: 'env' | 'secrets', name: string) => string | undefined
