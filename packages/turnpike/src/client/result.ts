/** The result of a call: a value or an error. Calls throw only through `orThrow`. */

export type Result<T> = Responded<T> | Failed

export interface Responded<T> {
  readonly ok: true
  /** 200, 201… */
  readonly status: number
  readonly value: T
  /** Text of the header `Warning`; absent: there is none. */
  readonly warning?: string
}

export interface Failed {
  readonly ok: false
  /** Of the response; `undefined`: there was no response. */
  readonly status: number | undefined
  /** In the gateway's words where it said something. */
  readonly message: string
}

/** A failed call, for those who would rather catch. */
export class ManagementError extends Error {
  override readonly name = 'ManagementError'
  readonly status: number | undefined

  constructor({ status, message }: Failed) {
    super(status === undefined ? message : `${status}: ${message}`)
    this.status = status
  }
}

/** The value of a call that went well. Throws `ManagementError` for others. */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value
  throw new ManagementError(result)
}
