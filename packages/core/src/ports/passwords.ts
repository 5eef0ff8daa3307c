/** Slow hashes of passwords; kept behind a port since they want a native or chunked implementation. */
export interface Passwords {
  /** bcrypt hash with cost 10, in modular crypt form. */
  hash(password: string): Promise<string>
  /** Whether the password belongs to a bcrypt hash. */
  matches(password: string, hash: string): Promise<boolean>
}
