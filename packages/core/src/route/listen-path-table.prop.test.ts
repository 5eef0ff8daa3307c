import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeListenPathTable } from './listen-path-table.ts'

const char = fc.constantFrom('a', 'b', '/', '-', 'ä', '漢')
const listenPath = fc.array(char, { maxLength: 6 }).map((chars) => `/${chars.join('')}`)

/** The reference implementation: tries all listen paths, the longest first. */
function referenceMatch(paths: readonly string[], strict: boolean, path: string): number | undefined {
  const isServed = (candidate: string) =>
    !strict || candidate.endsWith('/') || path.length === candidate.length || path[candidate.length] === '/'
  const ordered = paths
    .map((candidate, i) => ({ candidate, i }))
    .sort((a, b) => b.candidate.length - a.candidate.length)
  const longest = ordered.find(({ candidate }) => path.startsWith(candidate))
  return longest !== undefined && isServed(longest.candidate) ? longest.i : undefined
}

describe('the table of listen paths', () => {
  it('finds the same API as the reference implementation', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(listenPath, { maxLength: 30 }),
        fc.array(listenPath, { maxLength: 20 }),
        fc.boolean(),
        (paths, requested, strictRoutes) => {
          const table = makeListenPathTable(
            paths.map((path, slot) => ({ slot, apiId: '', listenPath: path, isRoutedById: false, domain: '' })),
            { strictRoutes, customDomains: false, hostname: '' },
          )
          for (const path of [...requested, ...paths, ...paths.map((one) => `${one}/b`)]) {
            expect(table.resolve('h', path)?.slot).toBe(referenceMatch(paths, strictRoutes, path))
          }
        },
      ),
      { numRuns: 500 },
    )
  })

  it('counts exactly the characters of the listen path, with any percent-encoding by the client', () => {
    fc.assert(
      fc.property(
        listenPath,
        listenPath,
        fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }),
        (path, rest, escapes) => {
          const table = makeListenPathTable(
            [{ slot: 0, apiId: '', listenPath: `${path}/`, isRoutedById: false, domain: '' }],
            {
              strictRoutes: false,
              customDomains: false,
              hostname: '',
            },
          )
          const escaped = (text: string) =>
            [...text]
              .map((c, i) =>
                c === '/' || (!escapes[i] && c < '\x7f')
                  ? c
                  : [...new TextEncoder().encode(c)].map((b) => `%${b.toString(16).padStart(2, '0')}`).join(''),
              )
              .join('')
          const sent = escaped(`${path}/`) + escaped(rest)
          expect(table.resolve('h', sent)?.matchedLength).toBe(escaped(`${path}/`).length)
        },
      ),
    )
  })
})
