/** Tests the folders of fixtures/faulty in which `check` finds no error: `verify` reports what is wrong with each. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeTestIo } from 'turnpike/embedding'
import { expect, it } from 'vitest'
import { main } from '../main.ts'

interface Expected {
  readonly mistake: string
  /** Alternatively, the part of the sentence that does not depend on the length of the trace. */
  readonly sentence: string
  /** Source of a warning. */
  readonly source?: string
  /** Part of a warning that says why a guarantee is broken. */
  readonly why?: string
  /** Number of the property that a broken guarantee violates. */
  readonly property?: number
  /** Outcome of the run. Default: the guarantees are kept, or the broken one is found. */
  readonly outcome?: string
}

interface Told {
  readonly source: string
  readonly sentence: string
  readonly file: string
  readonly line: number
}

const root = fileURLToPath(new URL('../../../../fixtures/faulty', import.meta.url))
const expectedIn = (name: string) => join(root, name, 'expected-verify.json')
const cases = readdirSync(root)
  .filter((name) => existsSync(expectedIn(name)))
  .map((name) => ({ name, ...(JSON.parse(readFileSync(expectedIn(name), 'utf8')) as Expected) }))

it('there are at least ten folders', () => expect(cases.length).toBeGreaterThanOrEqual(10))

it.each(cases)('$name: $mistake', { timeout: 240_000 }, async ({ name, sentence, source, why, property, outcome }) => {
  const io = makeTestIo({ cwd: join(root, name) })
  expect(await main(['verify', '.', '--seed', '1', '--seconds', '0', '--json'], io)).toBe(1)
  const report = JSON.parse(io.printed.join('\n')) as {
    outcome: string
    warnings: Told[]
    broken?: Told & { property: number }
  }
  expect(report.outcome).toBe(outcome ?? (property === undefined ? 'warnings' : 'broken'))
  const found = [...report.warnings, ...(report.broken === undefined ? [] : [report.broken])]
  const inWords = expect.stringContaining(sentence)
  // Every report names the field that is the cause.
  expect(found.map(({ file, line }) => [readFileSync(file, 'utf8').split('\n').length >= line, line > 0])).toEqual(
    found.map(() => [true, true]),
  )
  expect(found).toEqual([
    ...(why === undefined ? [] : [expect.objectContaining({ sentence: expect.stringContaining(why) })]),
    expect.objectContaining({ sentence: inWords, ...(source && { source }), ...(property && { property }) }),
  ])
})
