/**
 * Messages between nodes and the store: delayed, lost, duplicated, out of order, or stopped by a partition.
 *
 * Messages that arrive in the same millisecond are delivered together. The clock then needs only one timer for them,
 * which makes a million requests affordable.
 */
import type { Millis } from '@turnpike/core/lib'
import type { Clock } from '@turnpike/core/ports'
import type { Prng } from './prng.ts'

/** The name of a node, or of the store. */
export type Participant = string

export interface NetworkQuality {
  /** Minimum and maximum delay in ms. A random delay is chosen for each message. */
  readonly delayMs: readonly [number, number]
  /** Probability that a message is lost. */
  readonly loss: number
  /**
   * Probability that a signal is delivered twice. Requests to the store and replies use a connection and are not
   * duplicated.
   */
  readonly doubling: number
  /** Signals may overtake each other. By default they keep their order between two places. */
  readonly reordering: boolean
}

/** Messages that a participant sent. */
export interface Traffic {
  sent: number
  /** Lost at random, or stopped by a partition. */
  lost: number
}

export interface Network {
  /** Messages by sender. */
  readonly traffic: ReadonlyMap<Participant, Readonly<Traffic>>
  /** Sends a message over a connection: in order, at most once. Not delivered when it is lost or stopped. */
  send(from: Participant, to: Participant, deliver: () => void): void
  /** Sends a message without a connection: it may come twice, and out of order. */
  sendUnordered(from: Participant, to: Participant, deliver: () => void): void
  /** Stops all messages between two places, including those in transit. */
  cut(a: Participant, b: Participant): void
  heal(a: Participant, b: Participant): void
}

export function makeNetwork(clock: Clock, prng: Prng, quality: NetworkQuality): Network {
  const cuts = new Set<string>()
  const traffic = new Map<Participant, Traffic>()
  const lastArrival = new Map<string, Millis>()
  const arrivals = new Map<Millis, (() => void)[]>()

  const trafficOf = (from: Participant): Traffic => {
    const counted = traffic.get(from) ?? { sent: 0, lost: 0 }
    traffic.set(from, counted)
    return counted
  }

  const deliverAt = (at: Millis, deliver: () => void) => {
    const together = arrivals.get(at)
    if (together !== undefined) {
      together.push(deliver)
      return
    }
    const first = [deliver]
    arrivals.set(at, first)
    clock.after(at - clock.now(), () => {
      arrivals.delete(at)
      for (const each of first) each()
    })
  }

  const post = (from: Participant, to: Participant, inOrder: boolean, deliver: () => void) => {
    const counted = trafficOf(from)
    counted.sent += 1
    if (prng.chance(quality.loss) || cuts.has(pairOf(from, to))) {
      counted.lost += 1
      return
    }
    const [least, most] = quality.delayMs
    let at = clock.now() + prng.between(least, most)
    if (inOrder) {
      const direction = `${from}>${to}`
      at = Math.max(at, lastArrival.get(direction) ?? 0)
      lastArrival.set(direction, at)
    }
    deliverAt(at, () => {
      if (cuts.has(pairOf(from, to))) counted.lost += 1
      else deliver()
    })
  }

  return {
    traffic,
    send: (from, to, deliver) => post(from, to, true, deliver),
    sendUnordered(from, to, deliver) {
      post(from, to, !quality.reordering, deliver)
      if (prng.chance(quality.doubling)) post(from, to, !quality.reordering, deliver)
    },
    cut: (a, b) => void cuts.add(pairOf(a, b)),
    heal: (a, b) => void cuts.delete(pairOf(a, b)),
  }
}

const pairOf = (a: Participant, b: Participant) => (a < b ? `${a}|${b}` : `${b}|${a}`)
