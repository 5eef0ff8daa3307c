import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { main } from './main.ts'
import { makeTestIo } from './test-io.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-from-'))
  write('old/tyk.conf', {
    listen_port: 0,
    secret: 'the-old-secret',
    app_path: './apps',
    storage: { type: 'redis', host: 'localhost', optimisation_max_idle: 2000 },
    policies: { policy_source: 'file', policy_record_name: 'policies/policies.json' },
    hash_keys: true,
    http_server_options: { certificates: [{ domain_name: '*', cert_file: 'c.pem', key_file: 'k.pem' }] },
    tracing: { enabled: true },
    not_a_key: 1,
  })
  write('old/apps/a.json', api({}))
  write('old/policies/policies.json', { gold: { org_id: 'o', rate: 5, per: 1, access_rights: { a: { api_id: 'a' } } } })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, content: unknown): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
}

const api = (more: object) => ({
  name: 'A',
  api_id: 'a',
  org_id: 'o',
  active: true,
  use_keyless: true,
  version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
  proxy: { listen_path: '/a/', target_url: 'http://127.0.0.1:9/', strip_listen_path: true },
  ...more,
})

async function init(...args: string[]) {
  const io = makeTestIo({ cwd: folder })
  const code = await main(['init', ...args], io)
  return { code, out: io.printed.join('\n'), err: io.errorLines.join('\n') }
}

const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'))

describe('turnpike init --from', () => {
  it('writes a configuration that uses the files where they are, and copies nothing', async () => {
    const { code, out } = await init('new', '--from', 'old')
    expect(code).toBe(0)
    expect(readdirSync(join(folder, 'new'))).toEqual(['gateway.json'])
    expect(statSync(join(folder, 'new/gateway.json')).mode & 0o777).toBe(0o600)
    const { $schema, ...config } = read('new/gateway.json')
    expect($schema).toMatch(/gateway\.json$/)
    expect(config).toEqual({
      listen_port: 0,
      secret: 'the-old-secret',
      app_path: join(folder, 'old/apps'),
      storage: { type: 'redis', host: 'localhost' },
      policies: { policy_source: 'file', policy_record_name: join(folder, 'old/policies/policies.json') },
      hash_keys: true,
      http_server_options: {
        certificates: [{ domain_name: '*', cert_file: join(folder, 'old/c.pem'), key_file: join(folder, 'old/k.pem') }],
      },
      vendor: 'tyk',
    })
    expect(out).toContain('supported: 9 configuration keys, 1 definition, 1 policy')
    expect(out).toMatch(/ignored: 3 configuration keys left out\n {2}not_a_key +is not a known key/)
    expect(out).toMatch(/storage\.optimisation_max_idle +each node uses one pipelined connection/)
    expect(out).toMatch(/tracing +traces are sent in the protocol of OpenTelemetry only/)
    expect(out).toMatch(/works differently, or has no effect:\n.*hash_keys: keys are hashed by murmur32/)
    expect(out).not.toContain('must change')
    expect(out).not.toContain('the-old-secret')
  })

  it('reports what must change, and exits with 1', async () => {
    write('old/tyk.conf', { use_db_app_configs: true, storage: { type: 'memory' } })
    write('old/apps/a.json', api({ enable_coprocess_auth: true, use_keyless: false, misspelt: 1 }))
    const { code, out } = await init('new', '--from', 'old/tyk.conf', '--json')
    expect(code).toBe(1)
    const report = JSON.parse(out)
    expect(report.must_change.map(({ field }: { field: string }) => field)).toEqual([
      'use_db_app_configs',
      'enable_coprocess_auth',
    ])
    expect(report.different).toContainEqual(
      expect.objectContaining({ field: 'misspelt', reason: 'is not a known field and is ignored' }),
    )
    expect(report.changed.map(({ path }: { path: string }) => path)).toEqual([
      'vendor',
      'app_path',
      'secret',
      'data_path',
    ])
    expect(read('new/gateway.json')).toMatchObject({ app_path: join(folder, 'old/apps'), data_path: '.turnpike' })
    expect(read('new/gateway.json').secret).toHaveLength(43)
  })

  it.each([
    ['a folder that does not exist', ['--from', 'none'], 2, /none does not exist/],
    ['a folder without files of a gateway', ['--from', 'old/none'], 2, /contains no tyk\.conf/],
    ['a file that is not JSON', ['--from', 'old/text'], 2, /text:1:1 is not JSON/],
    ['two sources', ['--from', 'old', '--openapi', 'x.yaml'], 2, /name --openapi or --from, not both/],
  ])('rejects %s', async (_name, args, code, message) => {
    write('old/text', 'secret = 1')
    write('old/none/notes.txt', 'nothing')
    const result = await init('new', ...args)
    expect(result.code).toBe(code)
    expect(result.err).toMatch(message)
    expect(readdirSync(folder)).toEqual(['old'])
  })
})
