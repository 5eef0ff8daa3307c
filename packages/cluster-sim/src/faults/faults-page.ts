/**
 * The page that is made of a run that looked for every planted fault (fixtures/planted-faults.json, written by
 * scripts/faults-page.mjs).
 */
import type { FoundFault } from '@turnpike/testkit'

const cell = (text: string) => text.replaceAll('|', '\\|').replace(/\s+/g, ' ')
const numberOf = (law: string) => Number.parseInt(law, 10)

/** The page: one table for each law. */
export function faultsPage(found: readonly FoundFault[]): string {
  const laws = [...new Set(found.map(({ law }) => law))].toSorted((a, b) => numberOf(a) - numberOf(b))
  const tables = laws.map((law) => {
    const rows = found
      .filter((fault) => fault.law === law)
      .map(
        ({ name, reason, requests, seed, path }) =>
          `| ${cell(name)} | ${cell(reason)} | ${requests} | ${seed}, \`${path}\` |`,
      )
    return [
      `## Law ${law}`,
      '',
      '| what is wrong | what the law says | requests | seed, path |',
      '|---|---|---|---|',
      ...rows,
      '',
    ].join('\n')
  })
  return [
    '<!-- Written by scripts/faults-page.mjs. -->',
    '# Planted faults',
    '',
    `A law that lets faults through proves nothing. So ${found.length} things that are broken on purpose are kept beside the`,
    'code, each with the law that must catch it: limiters that let one too many pass, quotas that forget, stages in the',
    'wrong order, caches that mix up clients, clusters that count for themselves. A test looks for each of them again, from',
    'the seed and path that found it first, and shows that the code without the fault keeps its law with the same seeds.',
    '`node scripts/faults-page.mjs` looks for all of them anew and writes this page.',
    '',
    'Requests are those made until the fault was found and its trace made as short as it gets (in clusters: found). Faults',
    'of records and lists, which the suite of stores catches, are in `packages/testkit/src/faults/store-faults.ts`.',
    '',
    ...tables,
  ].join('\n')
}
