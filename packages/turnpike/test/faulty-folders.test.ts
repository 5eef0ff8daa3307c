/** The folders of fixtures/faulty, each with one mistake: `turnpike check` names it, its place and the fix. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { finished } from './support/process.ts'

interface Expected {
  readonly mistake: string
  readonly findings: readonly {
    readonly id: string
    readonly severity: 'error' | 'warning'
    readonly source: string
    readonly line: number
    readonly column: number
    readonly field: string
    readonly reason: string
    readonly fix?: string
    readonly ineffective?: true
  }[]
}

const root = fileURLToPath(new URL('../../../fixtures/faulty', import.meta.url))
const cases = readdirSync(root, { withFileTypes: true })
  // The others are for `turnpike verify`, and nothing is wrong with them for `check`.
  .filter((entry) => entry.isDirectory() && existsSync(join(root, entry.name, 'expected.json')))
  .map(({ name }) => {
    const folder = join(root, name)
    return { name, folder, ...(JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Expected) }
  })

it('there are many ways to go wrong', () => expect(cases.length).toBeGreaterThanOrEqual(15))

it.concurrent.each(cases)('$name: $mistake', async ({ folder, findings }) => {
  const [text, json] = await Promise.all([
    finished(folder, ['check', '--conf', 'gateway.json']),
    finished(folder, ['check', '--conf', 'gateway.json', '--json']),
  ])
  expect([text.code, json.code]).toEqual([1, 1])
  expect(JSON.parse(json.out).findings).toEqual(findings)
  expect(findings.length).toBeGreaterThan(0)
  for (const { id, severity, source, line, column, field, reason, fix } of findings) {
    const message = `${field === '' ? '' : `${field}: `}${reason}${fix === undefined ? '' : ` (${fix})`}`
    expect(text.out.split('\n')).toContain(`${source}:${line}:${column}  ${severity}  ${message} [${id}]`)
  }
})

it('the company of the samples has none of them', async () => {
  const company = fileURLToPath(new URL('../../../fixtures/company', import.meta.url))
  expect(await finished(company, ['check', '--conf', 'gateway.json'])).toMatchObject({ code: 0, err: '' })
})
