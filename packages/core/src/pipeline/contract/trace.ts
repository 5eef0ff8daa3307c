/** Notes of one request's way, for `turnpike explain`. Costs nothing where no trace is asked for. */
export interface Trace {
  /** Look only: nothing is counted, and nothing is sent to the upstream. */
  readonly dry: boolean
  /** A stage begins; what is noted until the next call is its own. */
  enter(stage: string, phase: string): void
  /** What the stage read or counted: "quota org1key: 3 of 100 used". */
  note(text: string): void
  leave(verdict: string): void
}

/** What a traced stage did. */
export interface TracedStage {
  readonly stage: string
  readonly phase: string
  readonly verdict: string
  readonly micros: number
  readonly notes: readonly string[]
}

/** A trace that keeps everything in order. `nowMicros` is any clock that moves forward. */
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
