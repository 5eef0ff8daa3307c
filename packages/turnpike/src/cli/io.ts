/** Everything that a command touches outside of itself, so that commands can be run by tests as well. */
import type { Environment } from '../config/environment.ts'

export interface Io {
  /** Results: what somebody may pipe on. */
  out(text: string): void
  /** Lines about requests: written a moment later, many at once; left out while nobody takes them. */
  outSoon(line: string): void
  /** Progress and problems. */
  err(text: string): void
  /** Whether a person watches the output. */
  readonly isTerminal: boolean
  readonly environment: Environment
  /** Where relative names begin. */
  readonly cwd: string
  /** Calls the listener at the first signal to stop. Returns how to stop listening. */
  onStop(listener: (signal: string) => void): () => void
}

/** How a command ends. Source: design.md "The commands". */
export const exitCodes = { fine: 0, found: 1, wrongUse: 2 } as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
