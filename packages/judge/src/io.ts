/** Input and output of the command. `turnpike judge` passes its own, which has the same methods. */
export interface Io {
  /** Prints a result to standard output. */
  out(text: string): void
  /** Prints progress and problems to standard error. */
  err(text: string): void
  readonly isTerminal: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The folder that relative file names start from. */
  readonly cwd: string
}

/** Exit codes: fine, found something, wrong use, and what was seen does not allow a verdict. */
export const exitCodes = { fine: 0, found: 1, wrongUse: 2, undecided: 3 } as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** The input and output of a process. */
export function processIo(): Io {
  // Without a listener, a closed pipe (`judge URL | head`) would end the process with a stack trace.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  return {
    out: (text) => void process.stdout.write(`${text}\n`),
    err: (text) => void process.stderr.write(`${text}\n`),
    isTerminal: process.stdout.isTTY === true,
    environment: process.env,
    cwd: process.cwd(),
  }
}
