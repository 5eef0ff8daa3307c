import { expectProperty } from '@turnpike/testkit'
import { describe, it } from 'vitest'
import { exchanging, fallingApart, sharedOut } from './counting-apart.ts'
import { exchangeLaw, partitionLaw, splitSharesLaw } from './law-13-apart.ts'

const run = { requests: process.env['CI'] === undefined ? 20_000 : 100_000 }

describe('nodes that count apart', () => {
  it('admit at most the limit and one less than they are, with shares', () =>
    expectProperty(splitSharesLaw, sharedOut('shares'), run))
  it('admit at most what the lag of their exchange lets through', () =>
    expectProperty(exchangeLaw, exchanging('exchange'), run))
  it('admit the limit on each side of a cut, and the limit together once it has healed', () =>
    expectProperty(partitionLaw, fallingApart('partition'), run))
})
