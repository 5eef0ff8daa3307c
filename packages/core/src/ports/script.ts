/** Runs scripts of users in a sandbox: scripted endpoints, scripts of stages, authentication scripts, event handlers. */
import type { Maybe } from '../lib/maybe.ts'
import type { ScriptProblem, ScriptSource } from '../lib/script-source.ts'
import type { Millis } from './clock.ts'

/** What a call runs; the names follow docs/reference/scripts.md#stage-scripts. */
export type ScriptKind =
  /** A global function that returns a text. */
  | 'function'
  /** The function of `NewProcessRequest`; its result is returned as JSON. */
  | 'request'
  /** The function of `NewProcessResponse`; its result is returned as JSON. */
  | 'response'
  /** The function of `NewHandler`; its result is ignored. */
  | 'event'

export interface ScriptCall {
  readonly kind: ScriptKind
  /** Name of a global of the scope. */
  readonly name: string
  /** JSON text of the list of arguments. */
  readonly args: string
  /** Passed to `ScriptHost.run` with each helper of this call: it must change nothing and send nothing. */
  readonly dry: boolean
}

/** A line that a script logged. `raw`: the text is the whole line. */
export interface ScriptLogLine {
  readonly text: string
  readonly raw: boolean
}

export interface ScriptResult {
  /** What the script returned; `undefined`: nothing. */
  readonly value: string | undefined
  /** Why the script failed, with the place in the user's file; `undefined`: it did not. */
  readonly problem: string | undefined
  readonly logs: readonly ScriptLogLine[]
}

/** Helpers that the gateway runs for a script, which waits for the result. */
export type ScriptHelper = 'http-request' | 'batch-request' | 'get-key' | 'set-key'

export interface ScriptHost {
  /** Runs a helper. `undefined`: the helper returns `undefined` to the script. */
  run(helper: ScriptHelper, args: readonly string[], dry: boolean): Maybe<string | undefined>
  /** Called once, when the sources have been read: what they logged, and which of them failed. */
  loaded(problems: readonly ScriptProblem[], logs: readonly ScriptLogLine[]): void
}

export interface ScriptScopeOptions {
  /** Read in this order into one scope. */
  readonly sources: readonly ScriptSource[]
  /** Limit of one call, including its helpers. */
  readonly timeoutMs: Millis
  /** Vendor word of the helper names. */
  readonly vendor: string
  readonly host: ScriptHost
}

/** The scope of one API. Each call begins with the state after the sources were read. */
export interface ScriptScope {
  /** Never rejects. */
  call(call: ScriptCall): Promise<ScriptResult>
  /** Releases workers as soon as they are idle. Calls of requests that still run stay possible. */
  close(): void
}

export interface ScriptRuntime {
  open(options: ScriptScopeOptions): ScriptScope
  /** Ends all workers; calls that are running fail. */
  close(): Promise<void>
}
