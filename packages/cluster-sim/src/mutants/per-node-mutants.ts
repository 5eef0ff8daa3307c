/** Seeded bugs (mutants) in nodes that count separately. */
import { type Mutant, makeMutant } from '@turnpike/testkit'
import { dividedIntoShares, exchanging, sharedUntilPartitioned } from '../properties/per-node-counting.ts'
import {
  exchangeProperty,
  partitionProperty,
  splitSharesProperty,
} from '../properties/property-13-cluster-bound-per-node.ts'

export const perNodeMutants: readonly Mutant[] = [
  makeMutant(
    'shares: rounded up and one more',
    splitSharesProperty,
    dividedIntoShares('one more', { share: (most, nodes) => Math.ceil(most / nodes) + 1 }),
  ),
  makeMutant(
    'shares: every node has the whole limit',
    splitSharesProperty,
    dividedIntoShares('whole limit', { share: (most) => most }),
  ),
  makeMutant(
    'shares: who joins has its share at once, and who stays that of one who left',
    splitSharesProperty,
    dividedIntoShares('at once', { bindsForMs: () => 0 }),
  ),
  makeMutant(
    'shares: an earlier division binds for half a window only',
    splitSharesProperty,
    dividedIntoShares('half a window', { bindsForMs: (windowMs) => windowMs / 2 }),
  ),
  makeMutant(
    'shares: who leaves and joins again has forgotten what it counted',
    splitSharesProperty,
    dividedIntoShares('forgets', { forgets: true, bindsForMs: () => 0 }),
  ),
  makeMutant(
    'exchange: reports of other nodes are ignored',
    exchangeProperty,
    exchanging('deaf', { usedCounts: () => [] }),
  ),
  makeMutant(
    'exchange: only the first request of a report counts',
    exchangeProperty,
    exchanging('first', { usedCounts: (told) => told.slice(0, 1) }),
  ),
  makeMutant('exchange: only every fifth takes place', exchangeProperty, exchanging('rare', { everyNth: 5 })),
  makeMutant(
    'exchange: reports of other nodes count twice',
    exchangeProperty,
    exchanging('twice', { usedCounts: (told) => [...told, ...told] }),
  ),
  makeMutant(
    'partition: a side that is cut off begins with an empty log, and loses it when it is back',
    partitionProperty,
    sharedUntilPartitioned('fresh sides', { startsEmptyWhenPartitioned: true, forgets: true }),
  ),
  makeMutant(
    'partition: a node that was cut off stays by itself',
    partitionProperty,
    sharedUntilPartitioned('alone', { neverHeals: true }),
  ),
]
