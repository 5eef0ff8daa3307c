/** All events of a run, decided in advance: a list that can be printed, repeated and shrunk. */
import type { RateAlgorithm } from '@turnpike/core/ports'
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

/** A request of a client. `target`: number of the request among those that the key sends; absent: it has one. */
export interface RequestStep {
  readonly at: Instant
  readonly kind: 'request'
  readonly node: Participant
  readonly key: string
  readonly target?: number
}

/** What happens at the instant of a step. */
export type Action =
  | Omit<RequestStep, 'at'>
  | { readonly kind: 'cut' | 'heal'; readonly a: Participant; readonly b: Participant }
  | { readonly kind: 'crash' | 'start'; readonly node: Participant }
  | { readonly kind: 'store-down' | 'store-up' }
  /** The primary store fails; after `forMs` its replica, which lacks the last `lagMs`, replaces it. */
  | { readonly kind: 'failover'; readonly forMs: number; readonly lagMs: number }
  /** Clients leave the node for `drainMs`; then it stops for `downMs` and starts again. */
  | { readonly kind: 'restart'; readonly node: Participant; readonly drainMs: number; readonly downMs: number }
  | { readonly kind: 'clock'; readonly node: Participant; readonly byMs: number }
  | { readonly kind: 'disk'; readonly node: Participant; readonly readMs: number }
  | { readonly kind: 'files'; readonly files: PlannedFiles }
  | { readonly kind: 'reload' | 'reload-group'; readonly node: Participant }
  | { readonly kind: 'put-key'; readonly node: Participant; readonly key: PlannedKey }
  | { readonly kind: 'delete-key'; readonly node: Participant; readonly key: string }

export type Step = { readonly at: Instant } & Action

/** A limit over requests of one or several keys. */
export interface PlannedLimit {
  /** The sentence that violations quote. */
  readonly words: string
  readonly what: 'rate' | 'quota'
  readonly count: number
  /** Length of the window or of the quota period; 0 if the quota does not renew. */
  readonly seconds: number
  /** The counted requests. */
  readonly members: readonly { readonly key: string; readonly target: number }[]
}

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
  /** Limits of the simulated gateway. Absent: those of `keys` and of the policies of `files`. */
  readonly limits?: readonly PlannedLimit[]
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
