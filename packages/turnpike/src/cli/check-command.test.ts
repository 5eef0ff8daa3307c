import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { main } from './main.ts'
import { makeTestIo } from './test-io.ts'

const company = fileURLToPath(new URL('../../../../fixtures/company', import.meta.url))
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-check-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const api = (id: string, change: object = {}) => ({
  name: id,
  api_id: id,
  org_id: 'acme',
  active: true,
  use_keyless: true,
  version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
  proxy: { listen_path: `/${id}/`, target_url: 'http://127.0.0.1:1/', strip_listen_path: true },
  ...change,
})

function write(files: Record<string, unknown>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }
}

async function check(...args: string[]) {
  const io = makeTestIo({ cwd: folder })
  const code = await main(['check', ...args], io)
  return { code, lines: io.printed, text: io.printed.join('\n'), errorLines: io.errorLines }
}

const config = { listen_address: '127.0.0.1', policies: { policy_path: 'policies' } }

describe('turnpike check', () => {
  it('finds nothing wrong with the sample company', async () => {
    cpSync(company, folder, { recursive: true })
    expect(await check('--conf', 'gateway.json')).toMatchObject({
      code: 0,
      lines: ['7 definitions and 4 policies checked: 0 errors, 0 warnings'],
    })
  })

  it.each([
    [false, 'warning'],
    [true, 'error'],
  ])('with strict %j, a field without effect is a finding of severity %s', async (strict, severity) => {
    write({
      'gateway.json': { ...config, strict },
      'apps/a.json': api('a', { use_keyles: true, slug: 's' }),
      'policies/gold.json': { id: 'gold', org_id: 'acme', access_rights: { a: {} }, graphql_access_rights: { a: 1 } },
    })
    const checked = await check('--conf', 'gateway.json', '--lenient', '--all')
    expect(checked.text).toMatch(new RegExp(`^apps/a.json:\\d+:\\d+ {2}${severity} {2}use_keyles: `, 'm'))
    expect(checked.text).toMatch(/^apps\/a.json:\d+:\d+ {2}note {2}slug: has no effect/m)
    expect(checked.text).toMatch(
      /^policies\/gold.json:\d+:\d+ {2}error {2}graphql_access_rights: has no effect: .* \(set the limits/m,
    )
    expect(checked.code).toBe(1)
  })

  it('reports rates of less than a second, which limit nothing', async () => {
    const rate_limit = [{ path: '/x', method: 'GET', rate: 5, per: 0.1 }]
    const versions = { Default: { name: 'Default', use_extended_paths: true, extended_paths: { rate_limit } } }
    write({
      'gateway.json': { ...config, seed: 'seed.json' },
      'apps/a.json': api('a', {
        global_rate_limit: { rate: 10, per: 0.5 },
        version_data: { not_versioned: true, versions },
      }),
      'policies/gold.json': {
        id: 'gold',
        org_id: 'acme',
        rate: 10,
        per: 0.5,
        access_rights: { a: { limit: { per: 0.9 } } },
      },
      'seed.json': { keys: { k: { org_id: 'acme', rate: 10, per: 0.5, access_rights: { a: {} } } } },
    })
    const { text, code } = await check('--conf', 'gateway.json', '--lenient')
    const places = text.match(/^\S+:\d+:\d+ {2}warning {2}\S+(?=: has no effect: .*below one second limits nothing)/gm)
    expect(places?.map((line) => line.replace(/:\d+:\d+ {2}warning {2}/, ' '))).toEqual([
      'apps/a.json version_data.versions.Default.extended_paths.rate_limit[0].per',
      'apps/a.json global_rate_limit.per',
      'policies/gold.json per',
      'policies/gold.json access_rights.a.limit.per',
      'seed.json keys.k.per',
    ])
    expect(code).toBe(0)
  })

  it('reports fields without effect of policies and keys as errors with strict', async () => {
    write({
      'gateway.json': { ...config, policies: { policy_path: 'policies' }, seed: 'seed.json', strict: true },
      'apps/a.json': api('a'),
      'policies/gold.json': { id: 'gold', active: true, quotamax: 5, access_rights: { a: {} }, org_id: 'acme' },
      'seed.json': { keys: { k: { org_id: 'acme', aply_policies: ['gold'] } } },
    })
    const { text, code } = await check('--conf', 'gateway.json', '--lenient', '--all')
    expect(code).toBe(1)
    expect(text).toMatch(/^policies\/gold.json:\d+:\d+ {2}error {2}quotamax: .*did you mean "quota_max"/m)
    expect(text).toMatch(/^policies\/gold.json:\d+:\d+ {2}note {2}active: has no effect/m)
    expect(text).toMatch(/^seed.json:\d+:\d+ {2}error {2}keys.k.aply_policies: /m)
  })

  it('accepts $schema in every file, and reports misspelt fields of the seed file with line and column', async () => {
    const $schema = './schema.json'
    write({
      'gateway.json': { $schema, ...config, policies: { policy_record_name: 'policies.json' }, seed: 'seed.json' },
      'apps/a.json': { $schema, ...api('a') },
      'policies.json': { $schema, gold: { $schema, org_id: 'acme', access_rights: { a: {} } } },
      'seed.json': { $schema, keys: { k: { org_id: 'acme', aply_policies: ['gold'] } } },
    })
    const { lines } = await check('--conf', 'gateway.json')
    expect(lines).toEqual([
      'seed.json:6:24  warning  keys.k.aply_policies: is not a known field and is ignored (did you mean "apply_policies"?) [unknown-field]',
      '1 definition and 1 policy checked: 0 errors, 1 warning',
    ])
  })

  it('reports broken JSON with file, line and column, and continues with the other files', async () => {
    write({
      'gateway.json': config,
      'apps/broken.json': '{\n  "name": "x",\n  "api_id" "x"\n}',
      'apps/good.json': api('good'),
      'policies/none.json': { id: 'p', access_rights: { good: {} }, org_id: 'acme' },
    })
    const { code, text } = await check('--conf', 'gateway.json')
    expect(code).toBe(1)
    expect(text).toMatch(/^apps\/broken\.json:3:12 {2}error {2}is not JSON/m)
    expect(text).toContain('1 definition and 1 policy checked')
  })

  it('names the field that was probably meant, and warnings count unless it is lenient', async () => {
    write({ 'gateway.json': { listen_address: '127.0.0.1' }, 'apps/a.json': api('a', { do_not_trak: true }) })
    const { code, text } = await check('--conf', 'gateway.json')
    expect(code).toBe(1)
    expect(text).toMatch(
      /apps\/a\.json:\d+:\d+ {2}warning {2}do_not_trak: .*\(did you mean "do_not_track"\?\) \[unknown-field\]$/m,
    )
    expect((await check('--conf', 'gateway.json', '--lenient')).code).toBe(0)
  })

  it('reports wrong types', async () => {
    write({ 'gateway.json': { listen_address: '127.0.0.1' }, 'apps/a.json': api('a', { active: 'yes' }) })
    const { code, text } = await check('--conf', 'gateway.json')
    expect(code).toBe(1)
    expect(text).toMatch(/apps\/a\.json:\d+:\d+ {2}error {2}active: must be true or false, is a text/)
  })

  it('reports policies that are one level too deep', async () => {
    const gold = { org_id: 'acme', access_rights: { a: {} } }
    for (const wrapper of [{ policies: { gold } }, { Data: [gold] }]) {
      write({
        'gateway.json': { listen_address: '127.0.0.1', policies: { policy_record_name: 'policies.json' } },
        'apps/a.json': api('a', {}),
        'policies.json': wrapper,
      })
      const { code, text } = await check('--conf', 'gateway.json')
      expect([code, text]).toEqual([1, expect.stringContaining('contains policies; move them one level up')])
      expect(text).not.toContain('remove')
    }
  })

  it('reports which template file a body transform lacks', async () => {
    const rule = (name: string) => ({
      path: '/x',
      method: 'POST',
      template_data: { input_type: 'json', template_mode: 'file', template_source: name },
    })
    const paths = { transform: [rule('there.tmpl'), rule('missing.tmpl'), rule('../gateway.json')] }
    const version = { name: 'Default', use_extended_paths: true, extended_paths: paths }
    write({
      'gateway.json': { listen_address: '127.0.0.1', template_path: 'templates' },
      'templates/there.tmpl': 'ok',
      'apps/a.json': api('a', { version_data: { not_versioned: true, versions: { Default: version } } }),
    })
    const { code, text } = await check('--conf', 'gateway.json')
    expect(code).toBe(1)
    expect(text).toMatch(
      /apps\/a\.json:\d+:\d+ {2}error {2}.*template_source: is not a valid template, so requests to this path get 500: the file "missing\.tmpl" cannot be read/,
    )
    expect(text).toContain('"../gateway.json" cannot be read')
    expect(text).not.toContain('there.tmpl')
  })

  it('reports body templates that are not valid, in definitions and files', async () => {
    const rule = (template_mode: string, template_source: string) => ({
      path: '/x',
      method: 'POST',
      template_data: { input_type: 'json', template_mode, template_source },
    })
    const paths = {
      transform: [rule('file', 'broken.tmpl'), rule('blob', btoa('{{now}}'))],
      transform_response: [rule('blob', btoa('{{genCA "a" 1}}')), rule('blob', '?')],
    }
    const version = { name: 'Default', use_extended_paths: true, extended_paths: paths }
    write({
      'gateway.json': { listen_address: '127.0.0.1', template_path: 'templates' },
      'templates/broken.tmpl': '{{if}}',
      'apps/a.json': api('a', { version_data: { not_versioned: true, versions: { Default: version } } }),
    })
    const { code, text } = await check('--conf', 'gateway.json')
    expect(code).toBe(1)
    const invalid = 'is not a valid template, so requests to this path get 500'
    expect(text.match(/is not a valid template/g)).toHaveLength(3)
    expect(text).toContain(
      `transform[0].template_data.template_source: ${invalid}: line 1, column 1: missing value in if`,
    )
    expect(text).toContain(
      `transform_response[0].template_data.template_source: ${invalid}: line 1, column 3: function "genCA"`,
    )
    expect(text).toContain(
      `transform_response[1].template_data.template_source: ${invalid}: the source of the template`,
    )
  })

  it('reports both files that want one listen path, and one id', async () => {
    write({
      'gateway.json': { listen_address: '127.0.0.1' },
      'apps/a.json': api('a', { proxy: { listen_path: '/same/', target_url: 'http://h/' } }),
      'apps/b.json': api('b', { proxy: { listen_path: '/same/', target_url: 'http://h/' } }),
      'apps/c.json': api('a', { proxy: { listen_path: '/c/', target_url: 'http://h/' } }),
    })
    const { code, text } = await check('--conf', 'gateway.json')
    expect(code).toBe(1)
    expect(text).toMatch(/apps\/a\.json:\d+:\d+ {2}error {2}proxy\.listen_path: "\/same\/" is wanted by b\.json too/)
    expect(text).toMatch(/apps\/b\.json:\d+:\d+ {2}error {2}proxy\.listen_path: "\/same\/" is wanted by a\.json too/)
    expect(text).toMatch(/apps\/c\.json:\d+:\d+ {2}error {2}api_id: "a" is also used in a\.json/)
  })

  it('reports policies that speak of unknown APIs, organisations and versions', async () => {
    const versions = { not_versioned: false, versions: { v1: { name: 'v1' }, v2: { name: 'v2' } } }
    write({
      'gateway.json': config,
      'apps/orders.json': api('orders', {
        version_data: versions,
        definition: { location: 'header', key: 'x-v' },
      }),
      'policies/p.json': { id: 'p', org_id: 'acme', access_rights: { oders: {}, orders: { versions: ['v3'] } } },
      'policies/q.json': { id: 'q', org_id: 'other', access_rights: { orders: { versions: ['v1'] } } },
    })
    const { code, text } = await check('--conf', 'gateway.json')
    expect(code).toBe(1)
    expect(text).toMatch(
      /policies\/p\.json:5:\d+ {2}error {2}access_rights\.oders: there is no API with the id "oders" \(did you mean "orders"\?\)/,
    )
    expect(text).toMatch(
      /p\.json:\d+:\d+ {2}warning {2}access_rights\.orders\.versions\[0\]: the API has no version "v3"/,
    )
    expect(text).toMatch(/q\.json:\d+:\d+ {2}error {2}access_rights\.orders: the API is of organisation "acme"/)
  })

  it('reports what makes a policy useless', async () => {
    write({
      'gateway.json': { listen_address: '127.0.0.1', policies: { policy_record_name: 'policies.json' } },
      'apps/a.json': api('a'),
      'policies.json': {
        mixed: { org_id: 'acme', partitions: { per_api: true, acl: true }, access_rights: { a: {} } },
        half: { org_id: 'acme', rate: 5, access_rights: { a: {} } },
        typo: { org_id: 'acme', acess_rights: { a: {} } },
        wrong: { quota_max: 'many' },
      },
    })
    const { code, text } = await check('--conf', 'gateway.json')
    expect(code).toBe(1)
    expect(text).toMatch(/error {2}mixed\.partitions\.per_api: per_api goes with no other partition/)
    expect(text).toMatch(/warning {2}half\.rate: stands without per/)
    expect(text).toMatch(/warning {2}typo\.acess_rights: .*did you mean "access_rights"/)
    expect(text).toMatch(/error {2}wrong\.quota_max: must be a whole number/)
  })

  it('reports policies that definitions name and nobody wrote', async () => {
    write({
      'gateway.json': config,
      'apps/a.json': api('a', {
        use_keyless: false,
        enable_jwt: true,
        jwt_signing_method: 'hmac',
        jwt_default_policies: ['gold'],
      }),
      'policies/golden.json': { id: 'golden', org_id: 'acme', access_rights: { a: {} } },
    })
    const { code, text } = await check('--conf', 'gateway.json')
    expect(code).toBe(1)
    expect(text).toMatch(/error {2}jwt_default_policies\[0\]: there is no policy "gold"/)
  })

  it('reports missing folders and files', async () => {
    write({ 'gateway.json': config })
    const { code, text } = await check('--conf', 'gateway.json')
    expect(code).toBe(1)
    expect(text).toMatch(/apps.* error {2}app_path: the folder of definitions does not exist/)
    expect(text).toMatch(
      /gateway\.json:\d+:\d+ {2}error {2}policies\.policy_path: the folder of policies does not exist/,
    )
    expect((await check('--conf', 'nowhere.json')).text).toMatch(/nowhere\.json {2}error {2}does not exist/)
  })

  it('checks a folder of definitions without a configuration, and a folder that holds one', async () => {
    write({ 'apps/a.json': api('a'), 'apps/b-oas.json': '{}' })
    expect((await check('apps')).text).toContain('1 definition and 0 policies checked: 0 errors')
    write({ 'gateway.json': { ...config, listen_prot: 1 } })
    expect((await check('.')).text).toContain('listen_prot: is not a known key')
  })

  it('prints JSON when asked', async () => {
    write({ 'gateway.json': { listen_address: '127.0.0.1', listen_port: 'x' }, 'apps/a.json': api('a') })
    const { code, text } = await check('--conf', 'gateway.json', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(text)).toMatchObject({
      errors: 1,
      findings: [{ severity: 'error', source: 'gateway.json', line: 3, field: 'listen_port' }],
    })
  })

  it('is also called lint, and two places at once are a wrong use', async () => {
    write({ 'apps/a.json': api('a') })
    const io = makeTestIo({ cwd: folder })
    expect(await main(['lint', 'apps'], io)).toBe(0)
    expect((await check('apps', '--conf', 'x')).code).toBe(2)
  })
})

describe('the command line', () => {
  it.each([
    ['--help'],
    ['start', '--help'],
    ['check', '--help'],
    ['keys', '--help'],
    ['keys', 'create', '--help'],
    ['explain', '--help'],
    ['verify', '--help'],
  ])('helps with %s %s %s', async (...args) => {
    const io = makeTestIo({ cwd: folder })
    expect(await main(args, io)).toBe(0)
    expect(io.printed.join('\n')).toContain('Usage:')
  })

  it('reports its version in three ways', async () => {
    const io = makeTestIo({ cwd: folder })
    expect(await main(['version'], io)).toBe(0)
    expect(await main(['--version'], io)).toBe(0)
    expect(await main(['version', '--json'], io)).toBe(0)
    expect(io.printed).toEqual(['turnpike 0.1.0', '0.1.0', '{"version":"0.1.0"}'])
  })

  it.each([
    ['frobnicate'],
    ['start', '--prot', '1'],
    ['start', '--port', 'many'],
    ['keys', 'show'],
    ['explain', 'GET', 'orders'],
    ['explain', 'GET', '/', '-H', 'x'],
  ])('ends with 2 on wrong use: %s %s %s', async (...args) => {
    const io = makeTestIo({ cwd: folder })
    expect(await main(args, io)).toBe(2)
    expect(io.errorLines.length).toBeGreaterThan(0)
  })
})

describe('reports for CI systems', () => {
  const files = {
    'gateway.json': config,
    'apps/a.json': api('a', { use_keyles: true }),
    'apps/b.json': api('b'),
    'policies/gold.json': { id: 'gold', org_id: 'acme', access_rights: { a: {} } },
  }
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')

  it('writes SARIF with file, line and column, and JUnit XML with a case for each file', async () => {
    write(files)
    expect((await check('--conf', 'gateway.json', '--sarif', 'check.sarif', '--junit', 'check.xml')).code).toBe(1)
    const line =
      read('apps/a.json')
        .split('\n')
        .findIndex((text) => text.includes('use_keyles"')) + 1
    expect(JSON.parse(read('check.sarif')).runs[0].results).toMatchObject([
      {
        ruleId: 'unknown-field',
        level: 'warning',
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'apps/a.json' },
              region: { startLine: line, startColumn: expect.any(Number) },
            },
          },
        ],
      },
    ])
    const junit = read('check.xml')
    expect(junit).toContain('tests="4" failures="1"')
    expect([...junit.matchAll(/<testcase [^>]* name="([^"]+)"/g)].map(([, name]) => name)).toEqual([
      'gateway.json',
      'apps/a.json',
      'apps/b.json',
      'policies/gold.json',
    ])
  })

  it('has no failed case with --lenient', async () => {
    write(files)
    expect((await check('--conf', 'gateway.json', '--junit', 'check.xml', '--lenient')).code).toBe(0)
    expect(read('check.xml')).toContain('tests="4" failures="0"')
  })

  it('prints annotations in GitHub Actions, beside JSON on standard error', async () => {
    write(files)
    const environment = { GITHUB_ACTIONS: 'true' }
    const text = makeTestIo({ cwd: folder, environment })
    await main(['check'], text)
    expect(text.printed).toContainEqual(expect.stringMatching(/^::warning file=apps\/a\.json,line=\d+,col=\d+,/))
    const json = makeTestIo({ cwd: folder, environment })
    await main(['check', '--json'], json)
    expect(JSON.parse(json.printed.join('\n'))).toMatchObject({ warnings: 1 })
    expect(json.errorLines).toContainEqual(expect.stringMatching(/^::warning file=apps\/a\.json,/))
  })

  it('ends with 2 if a report cannot be written', async () => {
    write(files)
    const { code, errorLines } = await check('--conf', 'gateway.json', '--sarif', 'missing/check.sarif')
    expect(code).toBe(2)
    expect(errorLines.join()).toContain('the SARIF report cannot be written')
  })
})

describe('findings by their id', () => {
  const files = {
    'gateway.json': { listen_address: '127.0.0.1', hash_keys: true },
    'apps/a.json': api('a', { slug: 's', do_not_trak: true }),
  }
  const config = (more: object) => write({ 'gateway.json': { ...files['gateway.json'], ...more } })

  it('are explained', async () => {
    const { code, lines } = await check('--explain', 'rate-without-period')
    expect(code).toBe(0)
    expect(lines[0]).toBe('rate-without-period')
    expect(lines.join('\n')).toMatch(/severity +error\n.*message +is missing\n.*fix +set the number of seconds/s)
    expect(lines.join('\n')).toMatch(/page +https:\S+docs\/reference\/rate-limits\.md/)
    const fatal = await check('--explain', 'config-wrong-type', '--json')
    expect(JSON.parse(fatal.text)).toMatchObject({ id: 'config-wrong-type', severity: 'error', stops_start: true })
  })

  it('must exist, and may not stop the start to be allowed', async () => {
    write(files)
    const failed = async (...args: string[]) => {
      const io = makeTestIo({ cwd: folder })
      return [await main(['check', ...args], io), io.errorLines.join('\n')]
    }
    expect(await failed('--explain', 'rate-without-priod')).toEqual([
      2,
      'error: --explain: "rate-without-priod" is not the id of a finding; did you mean "rate-without-period"?',
    ])
    expect(await failed('--allow', 'nothing-like-it-at-all')).toEqual([
      2,
      expect.stringContaining('is not the id of a'),
    ])
    expect(await failed('--allow', 'config-wrong-type')).toEqual([2, expect.stringContaining('cannot be allowed')])
  })

  it('are silenced and counted', async () => {
    write(files)
    expect((await check()).lines.at(-1)).toBe('1 field or file without use not listed; --all lists them')
    const { code, lines } = await check('--allow', 'unknown-field', '--allow', 'invertible-key-hash')
    expect(code).toBe(0)
    expect(lines).toEqual([
      '1 definition and 0 policies checked: 0 errors, 0 warnings',
      '1 field or file without use not listed; --all lists them',
      '2 findings silenced by --allow or check.allow',
    ])
    config({ check: { allow: ['unknown-field'] } })
    const json = JSON.parse((await check('--json', '--all', '--allow', 'invertible-key-hash')).text)
    expect(json).toMatchObject({ errors: 0, warnings: 0, silenced: 2, quiet: 0, findings: [{ id: 'stored-field' }] })
  })

  it('of the configuration that do not exist are errors, and so are those that stop the start', async () => {
    write(files)
    config({ check: { allow: ['unknwon-field', 'config-wrong-type'] } })
    const { code, text } = await check()
    expect(code).toBe(1)
    expect(text).toMatch(/error {2}check\.allow\[0\]: "unknwon-field" is not .* \(did you mean "unknown-field"\?\)/)
    expect(text).toMatch(/error {2}check\.allow\[1\]: "config-wrong-type" stops the start/)
  })

  it('that stop the start stay, although the configuration allows them', async () => {
    config({ listen_port: 'x', check: { allow: ['config-wrong-type'] } })
    const { text } = await check()
    expect(text).toMatch(/error {2}listen_port: must be a whole number/)
  })

  it('are rules of SARIF', async () => {
    write(files)
    await check('--sarif', 'check.sarif')
    const [{ tool, results }] = JSON.parse(readFileSync(join(folder, 'check.sarif'), 'utf8')).runs
    const rule = tool.driver.rules.find(({ id }: { id: string }) => id === 'unknown-field')
    expect(rule).toMatchObject({
      shortDescription: { text: 'is not a known field and is ignored' },
      help: { text: expect.stringContaining('docs/reference/support.md') },
      helpUri: expect.stringMatching(/docs\/reference\/generated\/findings\.md#unknown-field$/),
    })
    expect(results.map(({ ruleId }: { ruleId: string }) => ruleId)).toContain('unknown-field')
  })
})
