import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Report, type ReportFinding, toAnnotations, toJunit, toSarif, writeReports } from './index.ts'
import { sarifSchema } from './testing/sarif-schema.ts'

const folders = { cwd: '/repo/gateway', root: '/repo' }
const finding: ReportFinding = {
  rule: 'no-limit',
  level: 'warning',
  message: 'an API & its "limit" <b>, 100 %\u0007',
  fix: 'set a rate',
  file: 'apps/my orders.json',
  line: 3,
  column: 7,
}

function reportOf(...findings: ReportFinding[]): Report {
  return {
    tool: { name: 'turnpike verify', version: '1.2.3', url: 'https://example.com' },
    rules: [{ id: 'no-limit', summary: 'An API has no limit.', url: 'https://example.com/no-limit' }],
    failsOn: 'warning',
    items: [
      { group: 'APIs', name: 'orders', findings },
      { group: 'APIs', name: 'people', findings: [], details: 'reached 10 of 10' },
      { group: 'guarantees', name: 'at most 1 <request>', findings: [], skipped: 'its callers use OAuth' },
    ],
  }
}

describe('SARIF', () => {
  const validate = new Ajv({ strict: true }).compile(sarifSchema)

  it('has the members that the standard requires, and a place relative to the root of the repository', () => {
    const log = toSarif(reportOf(finding), folders)
    validate(log)
    expect(validate.errors).toBeNull()
    expect(log).toMatchObject({
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'turnpike verify', version: '1.2.3', rules: [{ id: 'no-limit' }] } },
          results: [
            {
              ruleId: 'no-limit',
              ruleIndex: 0,
              level: 'warning',
              message: { text: `${finding.message}.\nFix: set a rate.` },
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: 'gateway/apps/my%20orders.json', uriBaseId: '%SRCROOT%' },
                    region: { startLine: 3, startColumn: 7 },
                  },
                },
              ],
            },
          ],
        },
      ],
    })
  })

  it('is valid without findings, without a file, without a line, and for a file elsewhere', () => {
    const { line, column, ...noLine } = finding
    const { file, ...noFile } = noLine
    const log = toSarif(reportOf(noLine, noFile, { ...finding, file: '/elsewhere/a.json' }), folders)
    expect(validate(log)).toBe(true)
    expect(validate(toSarif(reportOf(), folders))).toBe(true)
    expect(JSON.stringify(log)).toContain('"uri":"file:///elsewhere/a.json"}')
  })

  it('gives a finding the same fingerprint after its line has moved, and others another one', () => {
    const printOf = (one: ReportFinding) =>
      /"turnpike\/v1":"(\w+)"/.exec(JSON.stringify(toSarif(reportOf(one), folders)))?.[1]
    expect(printOf({ ...finding, line: 9 })).toBe(printOf(finding))
    expect(printOf({ ...finding, message: 'another' })).not.toBe(printOf(finding))
  })
})

describe('JUnit XML', () => {
  const parse = (text: string) =>
    new XMLParser({ ignoreAttributes: false, isArray: (name) => name === 'testsuite' || name === 'testcase' }).parse(
      text,
    )

  it('has a case for each item: failed, passed or skipped', () => {
    const text = toJunit(reportOf(finding), folders)
    expect(XMLValidator.validate(text)).toBe(true)
    const { testsuites } = parse(text)
    expect(testsuites).toMatchObject({ '@_tests': '3', '@_failures': '1', '@_skipped': '1' })
    const [apis, guarantees] = testsuites.testsuite
    expect(apis).toMatchObject({ '@_name': 'turnpike verify: APIs', '@_tests': '2', '@_failures': '1' })
    expect(apis.testcase[0]).toMatchObject({
      '@_name': 'orders',
      '@_file': 'gateway/apps/my orders.json',
      '@_line': '3',
      failure: { '@_type': 'no-limit', '@_message': 'an API & its "limit" <b>, 100 %\ufffd' },
    })
    expect(apis.testcase[0].failure['#text']).toContain('gateway/apps/my orders.json:3:7: warning')
    expect(apis.testcase[1]).toMatchObject({ '@_name': 'people', 'system-out': 'reached 10 of 10' })
    expect(guarantees.testcase[0]).toMatchObject({
      '@_name': 'at most 1 <request>',
      skipped: { '@_message': 'its callers use OAuth' },
    })
  })

  it('does not count warnings as failures where they do not fail the command', () => {
    const { testsuites } = parse(toJunit({ ...reportOf(finding), failsOn: 'error' }, folders))
    expect(testsuites).toMatchObject({ '@_failures': '0' })
    expect(testsuites.testsuite[0].testcase[0]['system-out']).toContain('set a rate')
  })
})

describe('GitHub annotations', () => {
  it('escapes what would end the message or a property', () => {
    const [line] = toAnnotations(reportOf({ ...finding, level: 'error', file: 'a,b:c.json' }), folders)
    expect(line).toBe(
      '::error file=gateway/a%2Cb%3Ac.json,line=3,col=7,title=turnpike verify%3A no-limit::an API & its "limit" <b>, 100 %25\u0007%0Afix: set a rate',
    )
  })

  it('has a notice for a note, and no place without a file', () => {
    const note = { rule: 'no-limit', level: 'note', message: 'a remark' } as const
    expect(toAnnotations(reportOf(note), folders)).toEqual(['::notice title=turnpike verify%3A no-limit::a remark'])
  })
})

describe('writeReports', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'turnpike-reports-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  function write(options: object, environment: Record<string, string> = {}) {
    const lines: string[] = []
    const output = { cwd: folder, environment, print: (line: string) => void lines.push(line) }
    return { problem: writeReports(reportOf(finding), options, output), lines }
  }

  it('writes the files that the options name', () => {
    expect(write({ sarif: 'a.sarif', junit: 'a.xml' })).toEqual({ problem: undefined, lines: [] })
    expect(JSON.parse(readFileSync(join(folder, 'a.sarif'), 'utf8')).version).toBe('2.1.0')
    expect(readFileSync(join(folder, 'a.xml'), 'utf8')).toContain('<testsuites')
  })

  it('prints annotations with --github and in GitHub Actions, with names from the workspace', () => {
    expect(write({ github: true }).lines[0]).toContain('::warning file=apps/my orders.json,line=3')
    const environment = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: join(folder, '..') }
    expect(write({}, environment).lines[0]).toMatch(/::warning file=turnpike-reports-\w+\/apps\/my orders\.json,/)
    expect(write({}, { GITHUB_ACTIONS: 'false' }).lines).toEqual([])
  })

  it('says which file it cannot write', () => {
    expect(write({ sarif: 'missing/a.sarif' }).problem).toMatch(/^the SARIF report cannot be written: ENOENT/)
  })
})
