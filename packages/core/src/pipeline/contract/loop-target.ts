/** The API and path of this gateway to which a rewrite to `svc://…` sends a request (docs/reference/transforms.md#loops). */
export interface LoopTarget {
  /** `self`, or an id, name or listen path that `definition/api-names.ts` resolves. */
  readonly api: string
  /** Path below the listen path of that API, with a leading slash. */
  readonly path: string
  /** Query without the control parameters. */
  readonly query: string
  /** Method of the looped request; empty: unchanged. */
  readonly method: string
  /** Maximum number of loops of one request. Default 5, at most 100. */
  readonly limit: number
  /** Whether rate and quota count the looped request too. */
  readonly checkLimits: boolean
}
