/** A warning about a setting with an effect that most people do not expect. */
import type { FilePosition, Place } from './field-positions.ts'

export type WarningKind =
  | 'limit-never-reached'
  | 'limit-not-counted'
  | 'quota-never-renews'
  | 'policies-widen'
  | 'path-unreachable'
  | 'open-without-key'
  | 'limit-skipped'
  | 'path-shadowed'
  | 'no-limit'
  | 'key-expired'
  | 'pattern-covers-all'
  | 'no-effect'

export interface Warning {
  readonly kind: WarningKind
  /** The definition file, or another source such as `policy "gold"`. */
  readonly source: string
  /** The effect and its cause. */
  readonly sentence: string
  readonly fix: string
  /** The field that is the cause. */
  readonly place?: Place
  /** The position of that field. */
  readonly at?: FilePosition | undefined
}
