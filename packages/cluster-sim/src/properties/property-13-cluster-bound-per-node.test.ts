import { expectProperty } from '@turnpike/testkit'
import { describe, it } from 'vitest'
import { dividedIntoShares, exchanging, sharedUntilPartitioned } from './per-node-counting.ts'
import { exchangeProperty, partitionProperty, splitSharesProperty } from './property-13-cluster-bound-per-node.ts'

const run = { requests: process.env['CI'] === undefined ? 20_000 : 100_000 }

describe('nodes that count apart', () => {
  it('admit at most the limit and one less than they are, with shares', () =>
    expectProperty(splitSharesProperty, dividedIntoShares('shares'), run))
  it('admit at most what the lag of their exchange lets through', () =>
    expectProperty(exchangeProperty, exchanging('exchange'), run))
  it('admit the limit on each side of a cut, and the limit together once it has healed', () =>
    expectProperty(partitionProperty, sharedUntilPartitioned('partition'), run))
})
