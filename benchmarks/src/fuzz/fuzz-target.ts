/** What the fuzzer drives. Each case is made from a seed alone; what it does can depend on the cases since `open`. */
export interface FuzzTarget {
  readonly name: string
  /** Share of the time; targets with sockets need more, because each case takes longer. */
  readonly weight: number
  /** Cases can influence later ones, until the target is opened again. */
  readonly keepsState: boolean
  open(): Promise<OpenTarget>
}

export interface OpenTarget {
  /** Runs one case. Throws or rejects with a `FuzzFinding` if a rule is broken; any other error is a finding too. */
  run(seed: number): Promise<void> | void
  close(): Promise<void>
}

/** A broken rule, with the input. */
export class FuzzFinding extends Error {
  constructor(problem: string, input: unknown) {
    super(`${problem}: ${(JSON.stringify(input) ?? String(input)).slice(0, 8_000)}`)
  }
}

/** A target without resources. */
export function pureTarget(name: string, run: (seed: number) => Promise<void> | void): FuzzTarget {
  return { name, weight: 1, keepsState: false, open: async () => ({ run, close: async () => undefined }) }
}
