/** Where a rewrite to `svc://` sends a request inside the gateway. */
export interface LoopTarget {
  /** `self`, or what names an API: compared by `definition/api-names.ts`. */
  readonly api: string
  /** Path for that API's chain, behind its listen path, with a leading slash. */
  readonly path: string
  /** Query without the controls. */
  readonly query: string
  /** Method of the looped request; empty: as it is. */
  readonly method: string
  /** Most loops of one request. Default 5, at most 100. */
  readonly limit: number
  /** Whether rate and quota count the looped request too. */
  readonly checkLimits: boolean
}
