/** Collects what went wrong: the first cases of each kind with their times, and how many there were. */
export interface Problems {
  add(kind: string, text: string): void
  count(kind: string): number
  /** Each kind with its number and its first case. */
  readonly kinds: ReadonlyMap<string, { readonly count: number; readonly first: string }>
}

export function makeProblems(now: () => string): Problems {
  const kinds = new Map<string, { count: number; first: string }>()
  return {
    kinds,
    add(kind, text) {
      const known = kinds.get(kind)
      if (known === undefined) kinds.set(kind, { count: 1, first: `${now()}: ${text}` })
      else known.count += 1
    },
    count: (kind) => kinds.get(kind)?.count ?? 0,
  }
}
