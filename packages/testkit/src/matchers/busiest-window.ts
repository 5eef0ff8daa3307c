/** The window of time in which most was admitted. */

/** A request of a client: when, and what became of it, told by either field. */
export interface SeenRequest {
  /** In ms, on any clock. */
  readonly at: number
  /** Whether it was let through. */
  readonly allowed?: boolean
  /** Status of its answer; below 400 it was let through. Statuses of 500 and more count as let through: a limit did not stop it. */
  readonly status?: number
}

export function wasAdmitted({ allowed, status }: SeenRequest): boolean {
  return allowed ?? (status === undefined || status < 400 || status >= 500)
}

/** The largest number that any window (t − W, t] holds, and the instant after which that window begins. */
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
