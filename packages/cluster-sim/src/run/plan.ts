/** All events of a run, decided in advance: a list that can be printed, repeated and shortened. */
import type { RateAlgorithm } from '@turnpike/core'
import type { NetworkQuality, Participant } from '../simulation/network.ts'

/** The limits of a key; 0 means no limit. */
export interface Allowance {
  readonly rate: number
  /** Seconds. */
  readonly per: number
  readonly quotaMax: number
  /** Seconds. */
  readonly quotaRenewalRate: number
}

export interface PlannedKey {
  readonly name: string
  /** Its own limits, or those of a policy. */
  readonly allowance: Allowance | undefined
  readonly policy: string | undefined
}

/** One state of the files on all disks. */
export interface PlannedFiles {
  /** Increases with each state. The definitions contain it, so that responses show their version. */
  readonly version: number
  readonly policies: Readonly<Record<string, Allowance>>
}

/** Ms since the beginning of the run. */
export type Instant = number

export type Step = { readonly at: Instant } & (
  | { readonly kind: 'request'; readonly node: Participant; readonly key: string }
  | { readonly kind: 'cut' | 'heal'; readonly a: Participant; readonly b: Participant }
  | { readonly kind: 'crash' | 'start'; readonly node: Participant }
  | { readonly kind: 'store-down' | 'store-up' }
  | { readonly kind: 'clock'; readonly node: Participant; readonly byMs: number }
  | { readonly kind: 'disk'; readonly node: Participant; readonly readMs: number }
  | { readonly kind: 'files'; readonly files: PlannedFiles }
  | { readonly kind: 'reload' | 'reload-group'; readonly node: Participant }
  | { readonly kind: 'put-key'; readonly node: Participant; readonly key: PlannedKey }
  | { readonly kind: 'delete-key'; readonly node: Participant; readonly key: string }
)

export interface Plan {
  readonly name: string
  readonly seed: number
  readonly nodes: readonly Participant[]
  readonly algorithm: RateAlgorithm
  readonly network: NetworkQuality
  /** How long a node waits for the store, in ms. */
  readonly deadlineMs: number
  readonly keys: readonly PlannedKey[]
  readonly files: PlannedFiles
  /** In order of time. */
  readonly steps: readonly Step[]
  /** Duration of the run, including the quiet time at its end. */
  readonly endsAt: Instant
}

/** The network address of the store and of its broker. */
export const storePlace: Participant = 'store'

/** Names of n nodes. */
export function nodeNames(count: number): Participant[] {
  return Array.from({ length: count }, (_, i) => `node-${i + 1}`)
}

export function sortSteps(steps: readonly Step[]): Step[] {
  return steps.toSorted((a, b) => a.at - b.at)
}
