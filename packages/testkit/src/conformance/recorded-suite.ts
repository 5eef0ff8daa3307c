/**
 * A recorded suite: the configuration, definitions and policies of a gateway, and calls with their recorded responses.
 * The suites are JSON files in fixtures/conformance/.
 */
export interface Suite {
  readonly about: string
  readonly config?: Record<string, unknown>
  /** Each entry is written to a definition file. */
  readonly apis?: readonly Record<string, unknown>[]
  /** The policy file: policies by id. */
  readonly policies?: Record<string, unknown>
  /** Other files, by their path in the gateway's folder. */
  readonly files?: Record<string, unknown>
  readonly cases: readonly Case[]
}

export interface Case {
  readonly name: string
  readonly steps: readonly Step[]
}

/** One step. Its actions run in this order: wait, write a file, reload, call. */
export interface Step {
  readonly sleepMs?: number
  readonly writeFile?: { readonly path: string; readonly json: unknown }
  /** Makes a blocking reload and then waits so many milliseconds (300 if `true`). */
  readonly reload?: boolean | number
  readonly call?: Call
  /** Sends the call so many times; the last response is compared. */
  readonly repeat?: number
  /** Stores values of the response by name: a `dotted.path` in the JSON body, or `header.name`. */
  readonly capture?: Record<string, string>
  readonly expect?: Expected
}

export interface Call {
  readonly method?: string
  readonly path: string
  readonly headers?: Record<string, string>
  /** A string is sent unchanged, other values as JSON. */
  readonly body?: unknown
  /** Adds the management key. */
  readonly admin?: boolean
}

export interface Expected {
  readonly status?: unknown
  readonly headers?: Record<string, unknown>
  readonly text?: unknown
  readonly json?: unknown
}

export interface CaseResult {
  readonly suite: string
  readonly name: string
  /** The differences. Empty if the case passed. */
  readonly failures: readonly string[]
}
