/**
 * The page of faults planted into stores (fixtures/planted-store-faults.json): one row for each fault, one column for
 * each store. Names begin with the store and a colon.
 */
import type { FoundFault } from './found-fault.ts'

const numberOf = ({ law }: FoundFault) => Number.parseInt(law, 10)
const storeOf = ({ name }: FoundFault) => name.slice(0, name.indexOf(': '))
const whatOf = ({ name }: FoundFault) => name.slice(name.indexOf(': ') + 2)

export function storeFaultsPage(found: readonly FoundFault[]): string {
  const stores = [...new Set(found.map(storeOf))]
  const sorted = found.toSorted((a, b) => numberOf(a) - numberOf(b))
  const rows = [...new Set(sorted.map((one) => `${one.law} | ${whatOf(one)}`))].map((row) => {
    const cells = stores.map((store) => {
      const one = found.find((other) => storeOf(other) === store && `${other.law} | ${whatOf(other)}` === row)
      return one === undefined ? '—' : `${one.requests}: ${one.seed}, \`${one.path}\``
    })
    return `| ${row} | ${cells.join(' | ')} |`
  })
  return [
    '<!-- Written by scripts/store-faults-page.mjs. -->',
    '# Faults planted into stores',
    '',
    `What the laws are worth on a real store: ${found.length} stores with one thing wrong each, and the law that catches it. The`,
    'faults of limiters, stages, keys, caches and clusters are in [verification-faults.md](verification-faults.md).',
    '',
    'A cell tells after how many requests the fault showed, and the seed and path that bring it back; —: it cannot be',
    'planted there (memory is lost with its process, data on LMDB is of one node, only Redis is asked by commands).',
    '',
    `| law | what is wrong | ${stores.join(' | ')} |`,
    `|---|---|${stores.map(() => '---|').join('')}`,
    ...rows,
    '',
  ].join('\n')
}
