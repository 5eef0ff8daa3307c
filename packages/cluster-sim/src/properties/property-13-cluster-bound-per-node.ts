/**
 * Property 13 where nodes count apart. With shares that are rounded up, k nodes together admit at most L + k − 1 in any
 * window, whichever nodes join or leave. With counts that are exchanged every s, at most what the nodes may be offered in s
 * is added to L. In a network that fell apart each side admits L at most, and from its healing on all of them do.
 */
import { makeProperty } from '@turnpike/testkit'
import fc from 'fast-check'
import { nodeNames } from '../run/plan.ts'
import type { Participant } from '../simulation/network.ts'
import type { PerNodeLimit, PerNodeSubject } from './per-node-counting.ts'

type ApartStep =
  | { readonly kind: 'ask'; readonly at: number; readonly node: Participant }
  | { readonly kind: 'leave' | 'join'; readonly at: number; readonly node: Participant }
  | { readonly kind: 'exchange'; readonly at: number }

interface ApartCase {
  readonly limit: PerNodeLimit
  readonly steps: readonly ApartStep[]
  /** Time between two exchanges. */
  readonly everyMs: number
  /** Most requests that one node is offered between two exchanges. */
  readonly offered: number
}

const windowMs = 1_000

interface Draw {
  readonly most: number
  readonly nodes: number
  readonly codes: readonly number[]
  readonly everyMs: number
  readonly offered: number
}

/** A silence, and then a burst on one node or one that leaves or is back; smaller numbers are tamer. */
function decode({ most, nodes: count, codes, everyMs, offered }: Draw, changes: boolean): ApartCase {
  const nodes = nodeNames(count)
  const steps: ApartStep[] = []
  const away = new Set<Participant>()
  let at = 0
  for (const code of codes) {
    at += [0, 0, 1, 100, 250, windowMs / 2, windowMs - 1, windowMs][code & 7] ?? 0
    const node = nodes[(code >> 3) % count] as Participant
    const burst = [1, 1, 2, most, most + 1, Math.ceil(most / count), Math.ceil(most / count) + 1][(code >> 6) % 7] ?? 1
    if (!changes || (code >> 9) % 4 !== 3) {
      for (let i = 0; i < burst; i += 1) steps.push({ kind: 'ask', at, node })
    } else if (away.delete(node)) steps.push({ kind: 'join', at, node })
    else if (away.size < count - 1) {
      away.add(node)
      steps.push({ kind: 'leave', at, node })
    }
  }
  return { limit: { most, windowMs, nodes }, steps, everyMs, offered }
}

const prng = fc.record<Draw>({
  most: fc.integer({ min: 1, max: 9 }),
  nodes: fc.integer({ min: 1, max: 5 }),
  codes: fc.array(fc.nat(0x3fff), { minLength: 1, maxLength: 40, size: 'max' }),
  everyMs: fc.constantFrom(50, 200, 400),
  offered: fc.integer({ min: 1, max: 3 }),
})
const changing = prng.map((draw) => decode(draw, true))

/** Exchanges at every multiple of their time, and on each node no more than is offered between two of them. */
const exchanged = prng.map((draw): ApartCase => {
  const drawn = decode(draw, false)
  const slots = new Map<string, number>()
  const asks = drawn.steps.filter((step) => {
    if (step.kind !== 'ask') return false
    const slot = `${step.node} ${Math.floor(step.at / draw.everyMs)}`
    slots.set(slot, (slots.get(slot) ?? 0) + 1)
    return (slots.get(slot) ?? 0) <= draw.offered
  })
  const steps: ApartStep[] = []
  let next = draw.everyMs
  for (const step of asks) {
    for (; next <= step.at; next += draw.everyMs) steps.push({ kind: 'exchange', at: next })
    steps.push(step)
  }
  return { ...drawn, steps }
})

const requestsOf = ({ steps }: ApartCase) => steps.filter(({ kind }) => kind === 'ask').length

function show({ limit, steps, everyMs }: ApartCase): string {
  const lines = steps.map((step) => `  ${step.at} ms  ${step.kind}${step.kind === 'exchange' ? '' : ` ${step.node}`}`)
  return [
    `  ${limit.most} in ${windowMs} ms, ${limit.nodes.length} nodes, exchanges every ${everyMs} ms`,
    ...lines,
  ].join('\n')
}

interface Seen {
  /** Instants of what was admitted, in order. */
  readonly admitted: readonly number[]
  /** The first request that was rejected with fewer than the limit admitted by all in the window before it. */
  readonly starved: number | undefined
}

function play(subject: PerNodeSubject, { limit, steps }: ApartCase): Seen {
  const underTest = subject.make(limit)
  const admitted: number[] = []
  let starved: number | undefined
  for (const step of steps) {
    if (step.kind === 'exchange') underTest.exchange(step.at)
    else if (step.kind !== 'ask') underTest[step.kind](step.node, step.at)
    else if (underTest.ask(step.node, step.at)) admitted.push(step.at)
    else if (admitted.filter((at) => at > step.at - windowMs).length < limit.most) starved ??= step.at
  }
  return { admitted, starved }
}

/** The first window (from, from + W] that admits more than the bound, of those that begin at or after an instant. */
function overrun(admitted: readonly number[], bound: number, since = Number.NEGATIVE_INFINITY): string | undefined {
  for (const [index, at] of admitted.entries()) {
    if (at - windowMs < since) continue
    const count = admitted.slice(0, index + 1).filter((one) => one > at - windowMs).length
    if (count > bound) return `${count} are admitted in the window that ends at ${at} ms, where ${bound} may be`
  }
  return undefined
}

export const splitSharesProperty = makeProperty<PerNodeSubject, ApartCase>({
  number: 13,
  name: 'cluster bound, split shares',
  statement:
    'With shares that are rounded up k nodes admit at most L + k − 1 in any window, whichever nodes join or leave.',
  cases: changing,
  requestsOf,
  show,
  async check(subject, given) {
    const { most, nodes } = given.limit
    return overrun(play(subject, given).admitted, most + nodes.length - 1)
  },
})

export const exchangeProperty = makeProperty<PerNodeSubject, ApartCase>({
  number: 13,
  name: 'cluster bound, counts exchanged',
  statement:
    'With counts exchanged every s and λ requests offered to a node, k nodes admit at most L + k·λ·s in any window, and reject only what meets the limit.',
  cases: exchanged,
  requestsOf,
  show,
  async check(subject, given) {
    const { most, nodes } = given.limit
    const { admitted, starved } = play(subject, given)
    if (starved !== undefined) return `at ${starved} ms a request is rejected, with fewer than ${most} admitted by all`
    return overrun(admitted, most + nodes.length * given.offered)
  },
})

export const partitionProperty = makeProperty<PerNodeSubject, ApartCase>({
  number: 13,
  name: 'cluster bound, partition',
  statement: 'Nodes that are cut off admit at most k·L together; from a window after the healing on they admit L.',
  cases: changing,
  requestsOf,
  show,
  async check(subject, given) {
    const { most, nodes } = given.limit
    // At the end all connections are open, and every node sends as many requests as it can.
    const last = given.steps.at(-1)?.at ?? 0
    const healing = nodes.map((node): ApartStep => ({ kind: 'join', at: last, node }))
    const burst = nodes.flatMap((node) =>
      Array.from({ length: most + 1 }, (): ApartStep => ({ kind: 'ask', at: last + windowMs, node })),
    )
    const { admitted } = play(subject, { ...given, steps: [...given.steps, ...healing, ...burst] })
    return overrun(admitted, nodes.length * most) ?? overrun(admitted, most, last)
  },
})
