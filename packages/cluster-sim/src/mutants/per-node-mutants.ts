/** Seeded bugs (mutants) in nodes that count separately. */
import { type Mutant, mutantsOf } from '@turnpike/testkit'
import { dividedIntoShares, exchanging, sharedUntilPartitioned } from '../properties/per-node-counting.ts'
import {
  exchangeProperty,
  partitionProperty,
  splitSharesProperty,
} from '../properties/property-13-cluster-bound-per-node.ts'

export const perNodeMutants: readonly Mutant[] = [
  ...mutantsOf(splitSharesProperty, {
    'shares: rounded up and one more': dividedIntoShares('one more', {
      share: (most, nodes) => Math.ceil(most / nodes) + 1,
    }),
    'shares: every node has the whole limit': dividedIntoShares('whole limit', { share: (most) => most }),
    'shares: who joins has its share at once, and who stays that of one who left': dividedIntoShares('at once', {
      bindsForMs: () => 0,
    }),
    'shares: an earlier division binds for half a window only': dividedIntoShares('half a window', {
      bindsForMs: (windowMs) => windowMs / 2,
    }),
    'shares: who leaves and joins again has forgotten what it counted': dividedIntoShares('forgets', {
      forgets: true,
      bindsForMs: () => 0,
    }),
  }),
  ...mutantsOf(exchangeProperty, {
    'exchange: reports of other nodes are ignored': exchanging('deaf', { usedCounts: () => [] }),
    'exchange: only the first request of a report counts': exchanging('first', {
      usedCounts: (reported) => reported.slice(0, 1),
    }),
    'exchange: only every fifth takes place': exchanging('rare', { everyNth: 5 }),
    'exchange: reports of other nodes count twice': exchanging('twice', {
      usedCounts: (reported) => [...reported, ...reported],
    }),
  }),
  ...mutantsOf(partitionProperty, {
    'partition: a side that is cut off begins with an empty log, and loses it when it is back': sharedUntilPartitioned(
      'fresh sides',
      { startsEmptyWhenPartitioned: true, forgets: true },
    ),
    'partition: a node that was cut off stays by itself': sharedUntilPartitioned('alone', { neverHeals: true }),
  }),
]
