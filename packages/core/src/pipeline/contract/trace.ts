/** Notes about the stages of one request, for `turnpike explain`. */
export interface Trace {
  /** Dry run: no stage counts, and nothing is sent to the upstream. */
  readonly dry: boolean
  /** Begins a stage; notes until the next call belong to it. */
  enter(stage: string, phase: string): void
  /** Adds a note such as "quota org1key: 3 of 100 left". */
  note(text: string): void
  /** Adds a line that a script logged. Absent: such a line becomes a note. */
  scriptLine?(text: string): void
  /** Replaces this text by `[secret]` in all later notes. */
  hide(secret: string): void
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
  const hidden = makeHiddenTexts()
  let current: { stage: string; phase: string; startedAt: number; notes: string[] } | undefined
  return {
    dry,
    stages,
    enter(stage, phase) {
      current = { stage, phase, startedAt: nowMicros(), notes: [] }
    },
    note(text) {
      current?.notes.push(hidden.shown(text))
    },
    hide: hidden.hide,
    leave(verdict) {
      if (current === undefined) return
      const { stage, phase, startedAt, notes } = current
      stages.push({ stage, phase, verdict, micros: nowMicros() - startedAt, notes })
      current = undefined
    },
  }
}

/** Secrets that notes do not show. */
export function makeHiddenTexts() {
  const secrets: string[] = []
  return {
    hide: (secret: string) => void (secret !== '' && secrets.push(secret)),
    shown: (text: string) => secrets.reduce((shown, secret) => shown.replaceAll(secret, '[secret]'), text),
  }
}
