/** Slow password hashes. The platform implements them, because they need native code or must yield to the event loop. */
export interface Passwords {
  /** bcrypt hash with cost 10, in modular crypt form. */
  hash(password: string): Promise<string>
  /** Whether the password matches a bcrypt hash. */
  matches(password: string, hash: string): Promise<boolean>
}
