/** The input and output of a command, so that tests can run commands without a process. */
import type { Environment } from '../config/environment.ts'

export interface Io {
  /** Prints a result to standard output. */
  out(text: string): void
  /** Prints a line about a request. Lines are written in batches, and dropped while the reader does not read. */
  outSoon(line: string): void
  /** Prints progress and problems to standard error. */
  err(text: string): void
  /** True if the output is a terminal. */
  readonly isTerminal: boolean
  readonly environment: Environment
  /** The folder that relative file names start from. */
  readonly cwd: string
  /** Calls the listener at a signal to stop. Returns a function that unsubscribes. */
  onStop(listener: (signal: string) => void): () => void
  /** Calls the listener at SIGHUP, which reloads. Returns a function that unsubscribes. */
  onHangUp(listener: () => void): () => void
  /** Calls the listener at SIGUSR2, which restarts all workers. Returns a function that unsubscribes. */
  onRestart(listener: () => void): () => void
  /**
   * Calls the listener at an exception or a rejected promise that no code handles, which is a bug. Without a listener it
   * ends the process at once. Returns a function that unsubscribes.
   */
  onBug(listener: (cause: unknown) => void): () => void
}

/** Exit codes of all commands. Source: docs/reference/README.md#commands. */
export const exitCodes = { fine: 0, found: 1, wrongUse: 2, undecided: 3 } as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
