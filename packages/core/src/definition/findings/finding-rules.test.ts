import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeNote } from './finding.ts'
import type { FindingRule } from './finding-rule.ts'
import { findingRules, isFindingId } from './finding-rules.ts'

const packages = join(import.meta.dirname, '..', '..', '..', '..')
const rules: [string, FindingRule][] = Object.entries(findingRules)

/** The sources that report findings, without the table itself. */
function reportingSources(): string {
  return ['core', 'turnpike']
    .map((name) => join(packages, name, 'src'))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('findings/rules/'))
        .map((file) => readFileSync(join(folder, file), 'utf8')),
    )
    .join('\n')
}

it('every finding of the table is reported by code', () => {
  const source = reportingSources()
  expect(rules.map(([id]) => id).filter((id) => !source.includes(`'${id}'`))).toEqual([])
})

it('every id consists of words in kebab case', () => {
  expect(rules.map(([id]) => id).filter((id) => !/^[a-z]+(-[a-z]+)+$/.test(id))).toEqual([])
  expect(isFindingId('rate-without-period')).toBe(true)
  expect(isFindingId('toString')).toBe(false)
})

it('every finding has a page in docs, and a meaning if its text is only a value', () => {
  for (const [id, { page, text, about, stopsStart, severity }] of rules) {
    expect(existsSync(join(packages, '..', 'docs', page)), `${id}: ${page}`).toBe(true)
    if (/^<\w+>[;,.]?$/.test(text)) expect(about, id).toBeDefined()
    if (stopsStart) expect(severity, id).toBe('error')
  }
})

it('values replace the names in angle brackets, and a suggestion replaces the fix', () => {
  expect(makeNote('stream-target', ['proxy'], { scheme: 'tcp' })).toEqual({
    id: 'stream-target',
    severity: 'error',
    path: ['proxy'],
    reason: 'has the scheme "tcp", which an HTTP API cannot use',
    fix: 'set protocol to "tcp" or "tls", with a listen_port of its own',
  })
  expect(makeNote('unknown-version', [], { version: 'v2' }, 'v1').fix).toBe('did you mean "v1"?')
  expect(makeNote('no-key-source', []).fix).toBe('remove disable_header, or set use_param or use_cookie')
  expect(makeNote('unknown-default-version', [])).not.toHaveProperty('fix')
})
