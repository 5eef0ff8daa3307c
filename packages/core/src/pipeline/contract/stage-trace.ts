/**
 * Notes about the stages of one request, for `turnpike explain`, for the dashboard and for recorded spans. The interface
 * of distributed tracing is `tracing.ts`.
 */
import type { GatewayRequest } from '../../http/messages.ts'
import { escapeUrlText } from '../../lib/template/escape-variable.ts'
import type { Millis } from '../../ports/clock.ts'
import type { CachedKey } from '../../session/cached-key.ts'

export interface Trace {
  /** Dry run: no stage counts, and nothing is sent to the upstream. */
  readonly dry: boolean
  /** Begins a stage; notes until the next call belong to it. */
  enter(stage: string, phase: string): void
  /** Adds a note such as "quota org1key: 3 of 100 left". */
  note(text: string): void
  /** Adds what the request consumed of a limit. Absent: the trace keeps only the note about it. */
  limit?(reading: LimitReading): void
  /** Reports the key that the credential leads to, also if its session is not usable. */
  caller?(key: CachedKey): void
  /** Adds a line that a script logged. Absent: such a line becomes a note. */
  scriptLine?(text: string): void
  /** Replaces this text by `[secret]` in all later notes. */
  hide(secret: string): void
  /** Ends a stage. `end`: the response or rejection with which it ended the request phase. */
  leave(verdict: string, end?: StageEnd): void
  /** Set if a client sent the request: then it is counted, recorded and reported as if it had no trace. */
  readonly watched?: WatchedOrigin | undefined
}

/** The request of a client as the front end received it. */
export interface WatchedOrigin {
  readonly request: GatewayRequest
  /** TCP port of the API, or 0 for the gateway's port. */
  readonly port: number
  /** False if only the span of the request uses the trace: the watcher does not get it. */
  readonly isWanted: boolean
}

/** Returns true if the request is only explained, so that events and records do not include it. */
export function isExplained(trace: Trace | undefined): boolean {
  return trace !== undefined && trace.watched === undefined
}

/** Returns true for the trace of a client's request that the watcher wants. */
export function isWatched(trace: Trace): trace is WatchedTrace {
  return trace.watched?.isWanted === true
}

/** What is left of a limit before and after a request. */
export interface LimitReading {
  readonly kind: 'rate' | 'quota'
  /** Whose limit it is. */
  readonly owner: 'key' | 'organisation' | 'api'
  /** The endpoint that the limit applies to; empty: all. */
  readonly endpoint: string
  readonly max: number
  /** Length of the window or period; 0: it never ends. */
  readonly seconds: number
  readonly before: number
  readonly after: number
  readonly allowed: boolean
  /** When the window ends or the quota renews; `undefined`: never. */
  readonly resetsAt: Millis | undefined
}

export interface StageEnd {
  readonly status: number
  /** The error message of a rejection. */
  readonly message?: string
  /** Code of a rejection, from `http/rejections.ts`. */
  readonly code?: string
}

/** What a traced stage did. */
export interface TracedStage {
  readonly stage: string
  readonly phase: string
  readonly verdict: string
  readonly micros: number
  readonly notes: readonly string[]
}

/** A trace that keeps all stages in order. */
export interface KeptTrace extends Trace {
  readonly stages: TracedStage[]
  /** When each stage started, in microseconds of the clock of the trace. */
  readonly starts: number[]
  readonly limits: LimitReading[]
  /** The key of the request; `undefined` if the credential leads to none. */
  readonly key: () => CachedKey | undefined
  /** Code of the last rejection by a stage. */
  readonly rejectionCode: () => string | undefined
  /** Replaces the secrets that the trace hides. */
  shown(text: string): string
}

/** The trace of a client's request. */
export interface WatchedTrace extends KeptTrace {
  readonly watched: WatchedOrigin
}

/** `nowMicros`: a monotonic clock in microseconds. `watched`: set if a client sent the request. */
export function makeTrace(dry: boolean, nowMicros: () => number, watched?: WatchedOrigin): KeptTrace {
  const stages: TracedStage[] = []
  const starts: number[] = []
  const limits: LimitReading[] = []
  const hidden = makeHiddenTexts()
  let key: CachedKey | undefined
  let rejectionCode: string | undefined
  let current: { stage: string; phase: string; startedAt: number; notes: string[] } | undefined
  return {
    dry,
    stages,
    starts,
    limits,
    watched,
    hide: hidden.hide,
    shown: hidden.shown,
    enter(stage, phase) {
      current = { stage, phase, startedAt: nowMicros(), notes: [] }
    },
    note(text) {
      current?.notes.push(hidden.shown(text))
    },
    limit: (reading) => void limits.push(reading),
    caller(found) {
      key = found
    },
    key: () => key,
    rejectionCode: () => rejectionCode,
    leave(verdict, end) {
      rejectionCode = end?.code ?? rejectionCode
      if (current === undefined) return
      const { stage, phase, startedAt, notes } = current
      stages.push({ stage, phase, verdict, micros: nowMicros() - startedAt, notes })
      starts.push(startedAt)
      current = undefined
    },
  }
}

/**
 * Secrets that notes do not show: as they are, as URLs and JSON contain them, and without user and password if they are
 * URLs themselves, because a note can contain the rest of such a URL.
 */
export function makeHiddenTexts() {
  const forms = new Set<string>()
  let pattern: RegExp | undefined
  return {
    hide(secret: string): void {
      if (secret === '') return
      pattern = undefined
      for (const form of [secret, ...urlParts(secret)]) {
        forms.add(form)
        forms.add(escapeUrlText(form))
        forms.add(encodeComponent(form))
        forms.add(JSON.stringify(form).slice(1, -1))
      }
    },
    /** One pass, so that `[secret]` is not replaced again. Longer secrets first, so that no rest of one is left. */
    shown(text: string): string {
      if (forms.size === 0) return text
      pattern ??= patternOf([...forms].sort((a, b) => b.length - a.length))
      return text.replace(pattern, '[secret]')
    },
  }
}

function patternOf(texts: readonly string[]): RegExp {
  return new RegExp(texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|'), 'g')
}

/** Parts of a URL that the gateway uses one by one: authority, path and query. Short ones are in too many texts. */
function urlParts(secret: string): string[] {
  const [, authority, path = '', query = ''] =
    /^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)([^?#]*)(?:\?([^#]*))?/i.exec(secret) ?? []
  if (authority === undefined) return []
  const trimmed = path.replace(/(?<!\/)\/+$/, '')
  return [authority, authority.slice(authority.lastIndexOf('@') + 1), trimmed, query].filter((part) => part.length >= 4)
}

/** `encodeURIComponent` throws for lone surrogates. */
function encodeComponent(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
