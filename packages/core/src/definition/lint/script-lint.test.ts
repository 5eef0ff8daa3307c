import { describe, expect, it } from 'vitest'
import { lintDefinition } from '../lint-definition.ts'
import type { LintOptions } from './lint.ts'

const on = { scripts: { enabled: true, bundles: false, allowsBlobs: true } }
const off = { scripts: { enabled: false, bundles: false, allowsBlobs: true } }

function places(fields: object, options: LintOptions = on, paths: object = {}): string[] {
  const document = {
    name: 'a',
    api_id: 'a',
    active: true,
    use_keyless: true,
    proxy: { listen_path: '/a/', target_url: 'http://127.0.0.1:1/' },
    version_data: {
      not_versioned: true,
      versions: { Default: { name: 'Default', use_extended_paths: true, extended_paths: paths } },
    },
    ...fields,
  }
  return lintDefinition(JSON.stringify(document), options).map(({ severity, field }) => `${severity} ${field}`)
}

const entry = { name: 'gate', path: 'middleware/gate.js' }
const endpoint = {
  path: '/x',
  method: 'GET',
  response_function_name: 'x',
  function_source_type: 'file',
  function_source_uri: 'x.js',
}
const rule = 'version_data.versions.Default.extended_paths.virtual'

describe('checking the scripts of a definition', () => {
  it('accepts valid scripts', () => {
    expect(places({ custom_middleware: { driver: 'otto', pre: [entry], post: [entry] } })).toEqual([])
    expect(places({}, on, { virtual: [endpoint] })).toEqual([])
  })

  it('reports scripts without a driver, with another driver, and while scripts are off', () => {
    expect(places({ custom_middleware: { pre: [entry] } })).toEqual(['error custom_middleware'])
    expect(places({ custom_middleware: { driver: 'python', pre: [entry] } })).toEqual([
      'error custom_middleware.driver',
    ])
    expect(places({ custom_middleware: { driver: 'otto', post: [entry] } }, off)).toEqual(['error custom_middleware'])
    expect(places({}, off, { virtual: [endpoint] })).toEqual([`error ${rule}`])
  })

  it('ignores disabled entries', () => {
    expect(places({ custom_middleware: { pre: [{ ...entry, disabled: true }] } }, off)).toEqual([])
    expect(places({}, off, { virtual: [{ ...endpoint, disabled: true }] })).toEqual([])
  })

  it('reports entries that cannot run', () => {
    const pre = [{ name: '', path: 'gate.py' }]
    expect(places({ custom_middleware: { driver: 'otto', pre } })).toEqual([
      'error custom_middleware.pre[0].name',
      'error custom_middleware.pre[0].path',
    ])
  })

  it('reports authentication by a script without a script', () => {
    const auth = { use_keyless: false, custom_plugin_auth_enabled: true }
    expect(places(auth)).toEqual(['error custom_plugin_auth_enabled'])
    expect(places({ ...auth, custom_middleware: { driver: 'otto', auth_check: entry } })).toEqual([])
  })

  it('reports a bundle that the gateway does not load', () => {
    expect(places({ custom_middleware_bundle: 'b.zip' })).toEqual(['error custom_middleware_bundle'])
    expect(places({ custom_middleware_bundle: 'b.zip', custom_middleware_bundle_disabled: true })).toEqual([])
  })

  it('reports endpoints without a method, a function or a source', () => {
    const virtual = [
      { ...endpoint, method: '' },
      { ...endpoint, response_function_name: '' },
      { ...endpoint, function_source_type: 'url' },
      { ...endpoint, function_source_type: 'blob', function_source_uri: '%%%' },
    ]
    expect(places({}, on, { virtual })).toEqual([
      `error ${rule}[0].method`,
      `error ${rule}[1].response_function_name`,
      `error ${rule}[2].function_source_type`,
      `error ${rule}[3].function_source_uri`,
    ])
  })
})
