import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseDefinition } from '@turnpike/core/definition'
import { afterEach, expect, it } from 'vitest'
import { loadConfig } from '../config/load-config.ts'
import { checkScripts } from './check-scripts.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnpike-check-scripts-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('the check reports sources that are missing or do not parse, and accepts the helpers', async () => {
  writeFileSync(join(folder, 'fine.js'), 'var fine = new SvcJS.SvcMiddleware.NewMiddleware({})')
  writeFileSync(join(folder, 'broken.js'), 'var = 1')
  const pre = ['fine.js', 'broken.js', 'missing.js'].map((path) => ({ name: 'fine', path }))
  const document = {
    api_id: 'a',
    name: 'a',
    use_keyless: true,
    proxy: { listen_path: '/a/', target_url: 'http://127.0.0.1:1/' },
    version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
    custom_middleware: { driver: 'otto', pre },
  }
  const text = JSON.stringify(document)
  const { definition } = parseDefinition(text, 'a.json', '', { secret: () => '' })
  if (definition === undefined) throw new Error('the definition is not valid')
  const { config } = loadConfig({ document: { enable_jsvm: true }, environment: {}, cwd: folder, flags: {} })
  const findings = await checkScripts([{ file: 'a.json', text, definition }], config, folder, 'tyk.conf')
  expect(findings.map(({ severity, reason }) => `${severity} ${reason}`)).toEqual([
    'error script missing.js: the file cannot be read',
    expect.stringMatching(/^error script broken\.js: SyntaxError.*broken\.js:1:/),
  ])
})

it('the check notes once that the library of helpers is missing, because they are built in', async () => {
  const text = JSON.stringify({
    ...{ api_id: 'a', name: 'a', use_keyless: true, custom_middleware: { driver: 'otto' } },
    proxy: { listen_path: '/a/', target_url: 'http://127.0.0.1:1/' },
  })
  const { definition } = parseDefinition(text, 'a.json', '', { secret: () => '' })
  if (definition === undefined) throw new Error('the definition is not valid')
  const document = { vendor: 'tyk', enable_jsvm: true, tyk_js_path: '/opt/tyk-gateway/js/tyk.js' }
  const { config } = loadConfig({ document, environment: {}, cwd: folder, flags: {} })
  expect(await checkScripts([{ file: 'a.json', text, definition }], config, folder, 'tyk.conf')).toEqual([
    expect.objectContaining({ severity: 'note', source: 'tyk.conf', field: 'tyk_js_path' }),
  ])
})
