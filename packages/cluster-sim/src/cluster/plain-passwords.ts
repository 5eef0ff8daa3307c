/** Passwords without a hash: processors take no time in a simulation. */
export const plainPasswords = {
  hash: (text: string) => Promise.resolve(text),
  matches: (text: string, hash: string) => Promise.resolve(text === hash),
}
