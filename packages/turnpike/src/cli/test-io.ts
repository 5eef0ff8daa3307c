/** An `Io` for tests that records the output of a command. @turnpike/dev uses it too. */
import type { Io } from '../terminal/io.ts'

export interface TestIo extends Io {
  readonly printed: string[]
  readonly errorLines: string[]
  /** Simulates a signal to stop. */
  stop(signal?: string): void
}

export interface TestIoOptions {
  readonly cwd: string
  readonly environment?: Io['environment']
  readonly isTerminal?: boolean
}

export function makeTestIo(options: TestIoOptions): TestIo {
  const printed: string[] = []
  const errorLines: string[] = []
  let listeners: ((signal: string) => void)[] = []
  return {
    printed,
    errorLines,
    out: (text) => void printed.push(text),
    outSoon: (line) => void printed.push(line),
    err: (text) => void errorLines.push(text),
    isTerminal: options.isTerminal ?? false,
    environment: options.environment ?? {},
    cwd: options.cwd,
    onHangUp: () => () => undefined,
    onRestart: () => () => undefined,
    onBug: () => () => undefined,
    onStop(listener) {
      listeners.push(listener)
      return () => {
        listeners = listeners.filter((other) => other !== listener)
      }
    },
    stop(signal = 'SIGTERM') {
      for (const listener of listeners) listener(signal)
    },
  }
}
