import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeTestIo } from 'turnpike/embedding'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { main } from '../main.ts'

const faulty = fileURLToPath(new URL('../../../../fixtures/faulty', import.meta.url))
const slow = { timeout: 240_000 }
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-verify-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function verify(...args: string[]) {
  const io = makeTestIo({ cwd: folder })
  const code = await main(['verify', ...args], io)
  return { code, text: io.printed.join('\n'), errorLines: io.errorLines.join('\n') }
}

const copy = (name: string) => cpSync(join(faulty, name), folder, { recursive: true })

describe('turnpike verify', () => {
  it('reports fields without effect, and which of them change nothing', slow, async () => {
    const proxy = { listen_path: '/a/', target_url: 'http://127.0.0.1:1' }
    const version_data = { not_versioned: true, versions: { Default: { name: 'Default' } } }
    mkdirSync(join(folder, 'apps'))
    mkdirSync(join(folder, 'policies'))
    writeFileSync(
      join(folder, 'gateway.json'),
      JSON.stringify({ listen_address: '127.0.0.1', newrelic: {}, policies: { policy_path: 'policies' } }),
    )
    writeFileSync(
      join(folder, 'apps', 'a.json'),
      JSON.stringify({ api_id: 'a', name: 'a', active: true, slug: 's', version_data, proxy }),
    )
    writeFileSync(
      join(folder, 'policies', 'gold.json'),
      JSON.stringify({ id: 'gold', rate: 1, per: 60, quotamax: 5, access_rights: { a: { api_id: 'a' } } }),
    )
    const { code, text } = await verify('--seed', '1', '--seconds', '0', '--json')
    const { warnings, notes } = JSON.parse(text)
    expect(warnings).toContainEqual({
      kind: 'no-effect',
      source: expect.stringMatching(/gold.json:1$/),
      sentence: 'quotamax is not a known field and is ignored',
      fix: 'did you mean "quota_max"?',
      file: join(folder, 'policies', 'gold.json'),
      line: 1,
      column: 43,
    })
    expect(notes.map(({ sentence }: { sentence: string }) => sentence.split(' ')[0])).toEqual(['newrelic', 'slug'])
    expect(code).toBe(1)
    expect((await verify('--seed', '1', '--seconds', '0')).text).toMatch(
      /Without effect:\n {2}\S+ newrelic .*\n {2}\S+ slug /,
    )
  })

  it('prints guarantees, the broken one, the shortest trace, and how to see it again', slow, async () => {
    copy('half-a-second')
    const { code, text } = await verify('--seed', '1', '--seconds', '0')
    expect(code).toBe(1)
    expect(text).toContain(
      `What these files guarantee, and how close the traces came to each limit:
  closest  rejected  traces  guarantee
   1 of 1         1       1  policy "readers" guarantees each key at most 1 request in 0.5 s on "orders"
`,
    )
    expect(text).toContain(
      `broken guarantee (property 2, fixed window):
  policy "readers" guarantees each key at most 1 request in 0.5 s on "orders", yet 2 requests came through at once
  the limit is set in policies/readers.json:6:11

the shortest trace that shows it:
`,
    )
    expect(text).toContain('let through, beyond the guarantee  <- here')
    expect(text).toContain('again: turnpike verify . --seed 1 --seconds 0')
  })

  it('says verified once the mistake is fixed, with how many traces and which seed', slow, async () => {
    copy('half-a-second')
    const policy = join(folder, 'policies', 'readers.json')
    writeFileSync(policy, readFileSync(policy, 'utf8').replace('0.5', '1'))
    const { code, text } = await verify('--seed', '7', '--seconds', '0')
    expect(text.split('\n').at(-1)).toMatch(/^verified: 1 API and 1 policy, \d+ traces with [\d,]+ requests, seed 7$/)
    expect(code).toBe(0)
  })

  it('draws the same traces from the same seed', slow, async () => {
    copy('quota-behind-the-rate')
    const [one, two] = [await verify('--seed', '3', '--seconds', '0'), await verify('--seed', '3', '--seconds', '0')]
    expect(one.text).toBe(two.text)
  })

  it('writes a page of its own, without a script and with nothing from outside', slow, async () => {
    copy('half-a-second')
    const apis = join(folder, 'apps', 'orders.json')
    writeFileSync(apis, readFileSync(apis, 'utf8').replaceAll('"orders"', '"<b>orders"'))
    const policy = join(folder, 'policies', 'readers.json')
    writeFileSync(policy, readFileSync(policy, 'utf8').replaceAll('"orders"', '"<b>orders"'))
    expect((await verify('--seed', '1', '--seconds', '0', '--html', 'report.html')).code).toBe(1)
    const page = readFileSync(join(folder, 'report.html'), 'utf8')
    expect(page).toContain('<svg')
    expect(page).toContain('prefers-color-scheme: dark')
    expect(page).not.toMatch(/<script|src=|href=|url\(|@import/)
    expect(page).not.toContain('<b>')
  })

  it('reports no warnings for a single property', slow, async () => {
    copy('quota-behind-the-rate')
    const { code, text } = await verify('--property', '2', '--seed', '1', '--seconds', '0', '--json')
    expect(JSON.parse(text)).toMatchObject({ verified: true, warnings: [], seed: 1 })
    expect(code).toBe(0)
  })

  it('writes SARIF and JUnit XML, with the field that sets the broken limit', slow, async () => {
    copy('half-a-second')
    const files = ['--sarif', 'verify.sarif', '--junit', 'verify.xml', '--github']
    const { code, text } = await verify('--seed', '1', '--seconds', '0', ...files)
    expect(code).toBe(1)
    expect(text).toContain(
      '::error file=policies/readers.json,line=6,col=11,title=turnpike verify%3A broken-guarantee::',
    )
    expect(JSON.parse(readFileSync(join(folder, 'verify.sarif'), 'utf8')).runs[0].results).toContainEqual(
      expect.objectContaining({
        ruleId: 'broken-guarantee',
        level: 'error',
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'policies/readers.json', uriBaseId: '%SRCROOT%' },
              region: { startLine: 6, startColumn: 11 },
            },
          },
        ],
      }),
    )
    const junit = readFileSync(join(folder, 'verify.xml'), 'utf8')
    expect(junit).toContain(
      '<failure message="policy &quot;readers&quot; guarantees each key at most 1 request in 0.5 s',
    )
    expect(junit).toContain('reached 1 of 1, rejected 1 request, in 1 trace')
  })

  it('reports a run that verified nothing as an error of the configuration', slow, async () => {
    copy('ignored-root')
    const { code } = await verify('--seed', '1', '--seconds', '0', '--sarif', 'verify.sarif')
    expect(code).toBe(1)
    const { results } = JSON.parse(readFileSync(join(folder, 'verify.sarif'), 'utf8')).runs[0]
    expect(results.map(({ ruleId }: { ruleId: string }) => ruleId)).toEqual(['nothing-verified', 'pattern-covers-all'])
    expect(results[0].locations[0].physicalLocation.artifactLocation.uri).toBe('gateway.json')
    expect(results[0].message.text).toContain('ignored paths, mocks or rewrites take every sample request')
  })

  it('verifies nothing that check finds errors in', async () => {
    copy('no-such-policy')
    const { code, errorLines } = await verify()
    expect(code).toBe(1)
    expect(errorLines).toContain('there is no policy "reader"')
    expect(errorLines).toContain('nothing is verified before turnpike check finds no error')
  })

  it.each([
    [['--property', '5'], 'there is no property 5 to verify; these are:'],
    [['.', '--conf', 'gateway.json'], 'name a folder or --conf, not both'],
    [['--seconds', 'many'], 'This must be seconds from 0 to 86400'],
    [['--seconds', '-1'], 'This must be seconds from 0 to 86400'],
    [['--seed', '-1'], 'This must be a whole number from 0 on'],
  ])('ends with 2 on wrong use: %j', async (args, complaint) => {
    const { code, errorLines } = await verify(...args)
    expect(code).toBe(2)
    expect(errorLines).toContain(complaint)
  })
})
