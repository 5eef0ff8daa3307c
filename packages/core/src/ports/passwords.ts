/** Where a check waits for its turn. */
export interface PasswordQueue {
  /** Network of the client; empty: this process. */
  readonly network: string
  /** The user signed in from this network before, so the check goes first. */
  readonly isTrusted: boolean
}

/** Slow password hashes. The platform implements them, because they need threads of their own. */
export interface Passwords {
  /** bcrypt hash with cost 10, in modular crypt form. Rejects with `PasswordsBusyError` if too many checks wait. */
  hash(password: string): Promise<string>
  /**
   * Whether the whole password matches a bcrypt hash; one longer than `maxBcryptBytes` matches none. Rejects with
   * `PasswordsBusyError` if too many checks wait. Networks wait in turn. Default of `queue`: this process.
   */
  matches(password: string, hash: string, queue?: PasswordQueue): Promise<boolean>
}

/** Bytes of a password that bcrypt reads. */
export const maxBcryptBytes = 72

/** Too many password checks wait. */
export class PasswordsBusyError extends Error {
  constructor() {
    super('too many password checks wait')
  }
}

/** The hash of a random password. Checking it for unknown users takes the time of a check for known ones. */
export const hashOfNobody = '$2b$10$JzSxo0P17PSNMmbr5UNMleNO1S3.s2j6CzDUSqe/84cbXB1qN3chS'
