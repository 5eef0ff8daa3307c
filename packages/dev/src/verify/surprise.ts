/** Something that the files say and that most people would not expect of them. */

export type SurpriseKind =
  | 'limit-never-reached'
  | 'limit-not-counted'
  | 'quota-never-renews'
  | 'policies-widen'
  | 'path-unreachable'
  | 'open-without-key'
  | 'limit-skipped'
  | 'path-shadowed'

export interface Surprise {
  readonly kind: SurpriseKind
  /** File of a definition, or what else to look at: `policy "gold"`. */
  readonly source: string
  /** What happens, and why. */
  readonly sentence: string
  readonly wayOut: string
}
