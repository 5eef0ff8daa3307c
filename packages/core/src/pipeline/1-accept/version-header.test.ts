import { describe, expect, it } from 'vitest'
import { makeTestEngine } from '../../../test/support/test-engine.ts'
import { plainSettings } from '../../../test/support/test-settings.ts'
import { headerOf } from '../../http/headers.ts'

const settings = { headers: { ...plainSettings.headers, version: 'X-Version' } }

const api = (apiId: string, more: object) => ({
  api_id: apiId,
  name: apiId,
  use_keyless: true,
  proxy: { listen_path: `/${apiId}-in/`, target_url: 'http://up.test', strip_listen_path: true },
  ...more,
})

const versioned = (defaultVersion: string, fallback = false) => ({
  definition: { location: 'header', key: 'X-Asked', fallback_to_default: fallback },
  version_data: {
    not_versioned: false,
    default_version: defaultVersion,
    versions: { v1: { name: 'v1' }, v2: { name: 'v2' } },
  },
})

async function versionTold(definitions: object[], path: string, headers: Record<string, string> = {}) {
  const { send } = await makeTestEngine({ definitions, settings })
  return headerOf((await send('GET', path, headers)).headers, 'x-version')
}

describe('the version_header of the configuration', () => {
  it('names the default version if the request names none', async () => {
    expect(await versionTold([api('a', versioned('v1'))], '/a-in/x')).toBe('v1')
  })

  it('names the default version that replaces an unknown one', async () => {
    expect(await versionTold([api('a', versioned('v2', true))], '/a-in/x', { 'x-asked': 'v9' })).toBe('v2')
  })

  it('is not sent if the request names its version', async () => {
    expect(await versionTold([api('a', versioned('v1'))], '/a-in/x', { 'x-asked': 'v1' })).toBeUndefined()
  })

  it('is not sent if the API has no versions', async () => {
    const plain = { version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } } }
    expect(await versionTold([api('a', plain)], '/a-in/x')).toBeUndefined()
  })

  it('names the child definition that is the default of its base', async () => {
    const plain = { version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } } }
    const base = { definition: { enabled: true, name: 'one', default: 'two', versions: { two: 'b' } }, ...plain }
    expect(await versionTold([api('a', base), api('b', plain)], '/a-in/x')).toBe('two')
  })
})
