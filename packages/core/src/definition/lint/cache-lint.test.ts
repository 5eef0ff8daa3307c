import { describe, expect, it } from 'vitest'
import { lintDefinition } from '../lint-definition.ts'
import type { LintOptions } from './lint.ts'

function places(fields: object, paths: object = {}, options: LintOptions = {}): string[] {
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
const on = { enable_cache: true, cache_all_safe_requests: true }
const rule = { path: '/x', method: 'GET' }
const rules = 'version_data.versions.Default.extended_paths.advance_cache_config[0]'

describe('checking the cache of a definition', () => {
  it('warns if responses for one client are shared', () => {
    expect(places({ cache_options: { ...on, share_private: true } })).toEqual(['warning cache_options.share_private'])
  })

  it('accepts valid settings', () => {
    expect(places({ cache_options: on })).toEqual([])
    expect(places({ cache_options: { enable_cache: true }, cache_mode: 'rfc9111' })).toEqual([])
    expect(places({ cache_options: { enable_cache: true } }, { cache: ['/x'] })).toEqual([])
    expect(places({ cache_options: { enable_cache: true } }, { advance_cache_config: [rule] })).toEqual([])
  })

  it('warns about the recorded mode, also if the configuration has it', () => {
    expect(places({ cache_options: on, cache_mode: 'recorded' })).toEqual(['warning cache_mode'])
    expect(places({ cache_options: on }, {}, { cacheMode: 'recorded' })).toEqual(['warning cache_mode'])
    expect(places({ cache_options: on, cache_mode: 'compatible' }, {}, { cacheMode: 'recorded' })).toEqual([])
  })

  it('reports unknown modes, and a mode without a cache', () => {
    expect(places({ cache_options: on, cache_mode: 'rfc9110' })).toEqual(['error cache_mode'])
    expect(places({ cache_mode: 'rfc9111' })).toEqual(['warning cache_mode'])
  })

  it('reports targeted fields that are no header names, or have no effect', () => {
    const target_headers = ['CDN-Cache-Control', 'X Y', '']
    const targeted = { cache_options: { ...on, target_headers }, cache_mode: 'rfc9111' }
    expect(places(targeted)).toEqual(['error cache_options.target_headers[1]', 'error cache_options.target_headers[2]'])
    expect(places({ ...targeted, cache_options: { ...on, target_headers: [] } })).toEqual([])
    const without = { cache_options: { ...on, target_headers: ['X-Y'] } }
    expect(places(without)).toEqual(['warning cache_options.target_headers'])
  })

  it('reports settings with which nothing is ever cached', () => {
    expect(places({ cache_options: { enable_cache: true } })).toEqual(['warning cache_options.enable_cache'])
    const never = { ...on, cache_timeout: 0 }
    expect(places({ cache_options: never })).toEqual(['warning cache_options.cache_timeout'])
    expect(places({ cache_options: { ...never, enable_upstream_cache_control: true } })).toEqual([])
    expect(places({ cache_options: never }, { advance_cache_config: [{ ...rule, timeout: 5 }] })).toEqual([])
    expect(places({ cache_options: never, cache_mode: 'rfc9111' })).toEqual([])
  })

  it('reports invalid numbers', () => {
    const wrong = { ...on, cache_timeout: -1, cache_response_codes: [200, 20] }
    const places1 = places({ cache_options: wrong })
    expect(places1.sort()).toEqual(['error cache_options.cache_response_codes[1]', 'error cache_options.cache_timeout'])
    const bad = { ...rule, timeout: -1, cache_response_codes: [7], cache_key_regex: '(' }
    expect(places({ cache_options: on }, { advance_cache_config: [bad] }).sort()).toEqual([
      `error ${rules}.cache_key_regex`,
      `error ${rules}.cache_response_codes[0]`,
      `error ${rules}.timeout`,
    ])
  })

  it('reports patterns that are too large to be searched in bodies', () => {
    const large = { ...rule, timeout: 5, cache_key_regex: 'a{100}(b)' }
    expect(places({ cache_options: on }, { advance_cache_config: [large] })).toEqual([
      `warning ${rules}.cache_key_regex`,
    ])
  })
})
