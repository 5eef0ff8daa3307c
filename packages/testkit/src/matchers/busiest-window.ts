/** Finds the time window with the most admitted requests. */
import { aPositiveNumber, checkInput, InputError } from '../check-input.ts'

/** A request of a client: its time, and its result by one of the two other fields. */
export interface SeenRequest {
  /** Time in ms, on any clock. */
  readonly at: number
  /** True if the request was admitted. */
  readonly allowed?: boolean
  /**
   * Status of the response. Below 400 it was admitted. A status of 500 or more also counts as admitted, because no
   * limit rejected the request.
   */
  readonly status?: number
}

/** Throws an `InputError` if the value is not a list of requests with their results. `fn` names the caller. */
export function checkSeen(fn: string, seen: unknown): asserts seen is readonly SeenRequest[] {
  if (!Array.isArray(seen)) throw new InputError(`${fn}: expects a list of requests such as { at: 0, status: 200 }`)
  for (const [index, request] of seen.entries()) {
    const { at, allowed, status } = (request ?? {}) as SeenRequest
    const where = `${fn}: request ${index}`
    if (!Number.isFinite(at)) throw new InputError(`${where} has no instant; set at, in ms`)
    if (allowed === undefined && status === undefined)
      throw new InputError(`${where} has no result; set allowed, or status`)
    if (allowed !== undefined && typeof allowed !== 'boolean')
      throw new InputError(`${where}: allowed is ${JSON.stringify(allowed)}; it must be true or false`)
    if (status !== undefined && !(Number.isInteger(status) && status >= 100 && status <= 599))
      throw new InputError(`${where}: status is ${JSON.stringify(status)}; it must be a status such as 200`)
  }
}

export function wasAdmitted({ allowed, status }: SeenRequest): boolean {
  return allowed ?? (status === undefined || status < 400 || status >= 500)
}

/** The largest number of requests in any window (t − W, t], and the instant after which that window begins. */
export function busiestWindow(
  seen: readonly SeenRequest[],
  windowMs: number,
): { readonly count: number; readonly from: number } {
  checkInput('busiestWindow', 'the window in ms', windowMs, aPositiveNumber)
  checkInput('busiestWindow', 'the first argument', seen, (value) =>
    Array.isArray(value) ? undefined : 'a list of requests',
  )
  for (const [index, { at }] of seen.entries()) {
    if (!Number.isFinite(at)) throw new InputError(`busiestWindow: request ${index} has no instant; set at, in ms`)
  }
  const instants = seen.map(({ at }) => at).toSorted((a, b) => a - b)
  let first = 0
  let busiest = { count: 0, from: 0 }
  for (const [index, at] of instants.entries()) {
    while ((instants[first] ?? at) <= at - windowMs) first += 1
    const count = index - first + 1
    if (count > busiest.count) busiest = { count, from: at - windowMs }
  }
  return busiest
}
