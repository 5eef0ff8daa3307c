/** Notes about the stages of one request, for `turnpike explain`. */
export interface Trace {
  /** Dry run: no stage counts, and nothing is sent to the upstream. */
  readonly dry: boolean
  /** Begins a stage; notes until the next call belong to it. */
  enter(stage: string, phase: string): void
  /** Adds a note such as "quota org1key: 3 of 100 left". */
  note(text: string): void
  /** Ends a stage. `end`: the response or rejection with which it ended the request phase. */
  leave(verdict: string, end?: StageEnd): void
}

export interface StageEnd {
  readonly status: number
  /** The error message of a rejection. */
  readonly message?: string
}

/** What a traced stage did. */
export interface TracedStage {
  readonly stage: string
  readonly phase: string
  readonly verdict: string
  readonly micros: number
  readonly notes: readonly string[]
}

/** Makes a trace that keeps all stages in order. `nowMicros`: a monotonic clock in microseconds. */
export function makeTrace(dry: boolean, nowMicros: () => number): Trace & { readonly stages: TracedStage[] } {
  const stages: TracedStage[] = []
  let current: { stage: string; phase: string; startedAt: number; notes: string[] } | undefined
  return {
    dry,
    stages,
    enter(stage, phase) {
      current = { stage, phase, startedAt: nowMicros(), notes: [] }
    },
    note(text) {
      current?.notes.push(text)
    },
    leave(verdict) {
      if (current === undefined) return
      const { stage, phase, startedAt, notes } = current
      stages.push({ stage, phase, verdict, micros: nowMicros() - startedAt, notes })
      current = undefined
    },
  }
}
