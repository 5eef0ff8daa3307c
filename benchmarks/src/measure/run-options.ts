/** What every part of a benchmark run gets. */
export interface RunOptions {
  /** Shorter loads and fewer repetitions. */
  readonly quick: boolean
  readonly rounds: number
  /** Measures only rows that have a budget. */
  readonly budgets: boolean
  /** Command that starts another gateway. */
  readonly other: string | undefined
  /** A built checkout of an earlier commit. */
  readonly before: string | undefined
  /** Measures only scenarios whose name contains this text, in parts that have scenarios. */
  readonly scenario: string | undefined
  readonly log: (text: string) => void
}
