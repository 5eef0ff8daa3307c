/** Finds the time window with the most admitted requests. */

/** A request of a client: its time, and its result by one of the two other fields. */
export interface SeenRequest {
  /** Time in ms, on any clock. */
  readonly at: number
  /** True if the request was admitted. */
  readonly allowed?: boolean
  /**
   * Status of the response. Below 400 it was admitted. A status of 500 or more also counts as admitted, because no
   * limit refused the request.
   */
  readonly status?: number
}

export function wasAdmitted({ allowed, status }: SeenRequest): boolean {
  return allowed ?? (status === undefined || status < 400 || status >= 500)
}

/** The largest number of requests in any window (t − W, t], and the instant after which that window begins. */
export function busiestWindow(
  seen: readonly SeenRequest[],
  windowMs: number,
): { readonly count: number; readonly from: number } {
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
