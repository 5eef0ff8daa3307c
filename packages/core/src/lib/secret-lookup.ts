/** Looks up a secret by its name. `undefined`: the secret is not set and stands for an empty text. */
export type SecretLookup = (from: 'env' | 'secrets', name: string) => string | undefined
