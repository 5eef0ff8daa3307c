/**
 * A recorded suite: a gateway's configuration, its definitions and policies, and cases of calls with what was
 * answered. The facts stand as JSON in fixtures/conformance/.
 */
export interface Suite {
  readonly about: string
  readonly config?: Record<string, unknown>
  /** One definition file each. */
  readonly apis?: readonly Record<string, unknown>[]
  /** The policy file: id to policy. */
  readonly policies?: Record<string, unknown>
  /** Further files by path below the gateway's folder. */
  readonly files?: Record<string, unknown>
  readonly cases: readonly Case[]
}

export interface Case {
  readonly name: string
  readonly steps: readonly Step[]
}

/** Done in this order: wait, write a file, reload, call. */
export interface Step {
  readonly sleepMs?: number
  readonly writeFile?: { readonly path: string; readonly json: unknown }
  /** A blocking reload; a number: the milliseconds to wait after it. */
  readonly reload?: boolean | number
  readonly call?: Call
  /** Sends the call so many times; the last answer counts. */
  readonly repeat?: number
  /** Keeps values of the answer: name to `dotted.path` of the JSON body, or `header.name`. */
  readonly capture?: Record<string, string>
  readonly expect?: Expected
}

export interface Call {
  readonly method?: string
  readonly path: string
  readonly headers?: Record<string, string>
  /** A text is sent as it is, anything else as JSON. */
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
  /** What differed; empty: passed. */
  readonly failures: readonly string[]
}
