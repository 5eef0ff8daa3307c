/** Seeded bugs (mutants) in nodes that count separately. */
import { type Mutant, makeMutant } from '@turnpike/testkit'
import { exchanging, fallingApart, sharedOut } from '../laws/counting-apart.ts'
import { exchangeLaw, partitionLaw, splitSharesLaw } from '../laws/law-13-apart.ts'

export const apartFaults: readonly Mutant[] = [
  makeMutant(
    'shares: rounded up and one more',
    splitSharesLaw,
    sharedOut('one more', { share: (most, nodes) => Math.ceil(most / nodes) + 1 }),
  ),
  makeMutant(
    'shares: every node has the whole limit',
    splitSharesLaw,
    sharedOut('whole limit', { share: (most) => most }),
  ),
  makeMutant(
    'shares: who joins has its share at once, and who stays that of one who left',
    splitSharesLaw,
    sharedOut('at once', { bindsForMs: () => 0 }),
  ),
  makeMutant(
    'shares: an earlier division binds for half a window only',
    splitSharesLaw,
    sharedOut('half a window', { bindsForMs: (windowMs) => windowMs / 2 }),
  ),
  makeMutant(
    'shares: who leaves and joins again has forgotten what it counted',
    splitSharesLaw,
    sharedOut('forgets', { forgets: true, bindsForMs: () => 0 }),
  ),
  makeMutant('exchange: what others tell is not believed', exchangeLaw, exchanging('deaf', { believed: () => [] })),
  makeMutant(
    'exchange: of what others tell only the first request is kept',
    exchangeLaw,
    exchanging('first', { believed: (told) => told.slice(0, 1) }),
  ),
  makeMutant('exchange: only every fifth takes place', exchangeLaw, exchanging('rare', { everyNth: 5 })),
  makeMutant(
    'exchange: what others tell is counted twice',
    exchangeLaw,
    exchanging('twice', { believed: (told) => [...told, ...told] }),
  ),
  makeMutant(
    'partition: a side that is cut off begins with an empty log, and loses it when it is back',
    partitionLaw,
    fallingApart('fresh sides', { freshSides: true, forgets: true }),
  ),
  makeMutant(
    'partition: a node that was cut off stays by itself',
    partitionLaw,
    fallingApart('alone', { neverHeals: true }),
  ),
]
