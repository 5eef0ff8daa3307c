/** The page of faults planted into stores: one row for each fault, one column for each store. */

/** How a fault was found on a store; `fixtures/planted-store-faults.json` is a list of these. */
export interface FoundOnStore {
  /** The store, a colon, and what is wrong. */
  readonly name: string
  /** Number and name of the law. */
  readonly law: string
  /** Where to look first the next time. */
  readonly seed: number
  readonly path: string
  /** Requests until it showed. */
  readonly requests: number
  /** What the law said. */
  readonly reason: string
}

const numberOf = ({ law }: FoundOnStore) => Number.parseInt(law, 10)
const storeOf = ({ name }: FoundOnStore) => name.slice(0, name.indexOf(': '))
const whatOf = ({ name }: FoundOnStore) => name.slice(name.indexOf(': ') + 2)

export function storeFaultsPage(found: readonly FoundOnStore[]): string {
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
