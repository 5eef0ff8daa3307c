/** Formats fixtures/mutants.json as docs/verification-mutants.md. scripts/mutants-page.mjs writes both files. */
import type { FoundMutant } from './mutant.ts'

const cell = (text: string) => text.replaceAll('|', '\\|').replace(/\s+/g, ' ')
const numberOf = (property: string) => Number.parseInt(property, 10)

/** Returns the page as Markdown, with one table for each property. */
export function mutantsPage(found: readonly FoundMutant[]): string {
  const properties = [...new Set(found.map(({ property }) => property))].toSorted((a, b) => numberOf(a) - numberOf(b))
  const tables = properties.map((property) => {
    const rows = found
      .filter((mutant) => mutant.property === property)
      .map(
        ({ name, reason, requests, seed, path }) =>
          `| ${cell(name)} | ${cell(reason)} | ${requests} | ${seed}, \`${path}\` |`,
      )
    return [
      `## Property ${property}`,
      '',
      '| seeded bug | violation that was found | requests | seed, path |',
      '|---|---|---|---|',
      ...rows,
      '',
    ].join('\n')
  })
  return [
    '<!-- Written by scripts/mutants-page.mjs. -->',
    '# Seeded bugs',
    '',
    `A property that misses bugs proves nothing. This repository therefore keeps ${found.length} mutants: copies of correct code`,
    'with one seeded bug each, and the property that must detect it. Some limiters admit one request too many, some quotas',
    'lose their count, some stages run in the wrong order, some caches mix up clients, some clusters count on each node',
    'alone. A test replays each mutant from the seed and the path that first detected it, and checks that the code without',
    'the bug satisfies the property with the same seeds. `node scripts/mutants-page.mjs` searches for all of them again and',
    'writes this page.',
    '',
    'The column "requests" counts the requests until the bug was found and its trace was shrunk. Traces of clusters are not',
    'shrunk. The mutants of records and lists, which the test suite for stores must detect, are in',
    '[store-suite-mutants.ts](../packages/testkit/src/mutants/store-suite-mutants.ts).',
    '',
    ...tables,
  ].join('\n')
}
