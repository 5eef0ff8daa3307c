import { expect, it } from 'vitest'
// @ts-expect-error A script without types.
import { cyclesOf, packageCycles } from './_cycles.mjs'

it('finds the nodes of each cycle', () => {
  const graph = { a: ['b'], b: ['c'], c: ['a', 'd'], d: ['e', 'outside'], e: [], f: ['g'], g: ['f'] }
  expect(cyclesOf(new Map(Object.entries(graph)))).toEqual([
    ['a', 'b', 'c'],
    ['f', 'g'],
  ])
})

it.each(['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'])(
  'finds packages that depend on each other by %s',
  (kind) => {
    const manifests = [
      { name: 'adapters', dependencies: { core: 'workspace:*' }, [kind]: { testkit: 'workspace:*' } },
      { name: 'core' },
      { name: 'testkit', dependencies: { core: 'workspace:*', adapters: 'workspace:*', vitest: '4' } },
    ]
    expect(packageCycles(manifests)).toEqual([['adapters', 'testkit']])
  },
)
