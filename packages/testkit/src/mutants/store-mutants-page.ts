/**
 * Formats fixtures/store-mutants.json as docs/verification-store-mutants.md. scripts/store-mutants-page.mjs writes both
 * files. The name of a store mutant is the name of the store, a colon, a blank and the seeded bug.
 */
import type { FoundMutant } from './mutant.ts'

const numberOf = ({ property }: FoundMutant) => Number.parseInt(property, 10)
const storeOf = ({ name }: FoundMutant) => name.slice(0, name.indexOf(': '))
const bugOf = ({ name }: FoundMutant) => name.slice(name.indexOf(': ') + 2)
const rowOf = (one: FoundMutant) => `${one.property} | ${bugOf(one)}`

/** Returns the page as Markdown: one table with a row for each bug and a column for each store. */
export function storeMutantsPage(found: readonly FoundMutant[]): string {
  const stores = [...new Set(found.map(storeOf))]
  const sorted = found.toSorted((a, b) => numberOf(a) - numberOf(b))
  const rows = [...new Set(sorted.map(rowOf))].map((row) => {
    const cells = stores.map((store) => {
      const one = found.find((other) => storeOf(other) === store && rowOf(other) === row)
      return one === undefined ? '—' : `${one.requests}: ${one.seed}, \`${one.path}\``
    })
    return `| ${row} | ${cells.join(' | ')} |`
  })
  return [
    '<!-- Written by scripts/store-mutants-page.mjs. -->',
    '# Seeded bugs in stores',
    '',
    `This page lists ${found.length} stores with one seeded bug each, and the property that detects it. The mutants of limiters,`,
    'stages, keys, caches and clusters are in [verification-mutants.md](verification-mutants.md).',
    '',
    'Each cell gives the number of requests until the bug was detected, then the seed and the path that reproduce it. A dash',
    'means that the bug does not apply to that store: the memory store loses its data when its process ends, data on LMDB',
    'belongs to one node, and only Redis is accessed by commands.',
    '',
    `| property | seeded bug | ${stores.join(' | ')} |`,
    `|---|---|${stores.map(() => '---|').join('')}`,
    ...rows,
    '',
  ].join('\n')
}
