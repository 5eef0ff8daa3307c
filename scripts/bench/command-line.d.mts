export interface BenchOptions {
  readonly quick?: boolean
  /** A whole number. */
  readonly rounds?: string
  readonly budgets?: boolean
  readonly json?: string
  readonly html?: string
  readonly compare?: string
  /** A whole number of percent. */
  readonly tolerance?: string
  readonly only?: string
  readonly other?: string
  readonly before?: string
  readonly scenario?: string
}

export function readBenchOptions(): BenchOptions
