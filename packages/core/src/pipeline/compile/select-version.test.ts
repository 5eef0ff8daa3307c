import { describe, expect, it } from 'vitest'
import { makeTestEngine } from '../../../test/support/test-engine.ts'
import { headerOf } from '../../http/headers.ts'

const api = (id: string, more: object) => ({
  api_id: id,
  name: id,
  use_keyless: true,
  proxy: { listen_path: `/${id}/`, target_url: `http://${id}.test`, strip_listen_path: true },
  ...more,
})

const base = api('base', {
  definition: {
    enabled: true,
    name: 'v1',
    location: 'url',
    strip_versioning_data: true,
    versions: { v2: 'child', v3: 'removed' },
  },
  version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
})

/** Its own versions are in a parameter. */
const child = api('child', {
  definition: { location: 'url-param', key: 'v', strip_versioning_data: true },
  version_data: {
    not_versioned: false,
    versions: { a: { name: 'a' }, b: { name: 'b', override_target: 'http://child-b.test' } },
  },
})

async function send(path: string) {
  const test = await makeTestEngine({ definitions: [base, child] })
  const { status } = await test.send('GET', path)
  const sent = test.upstreamRequests[0]
  return sent === undefined ? status : `${headerOf(sent.headers, 'host')}${sent.path}`
}

describe('the version of a request', () => {
  it('is the base of the family, whose name is removed', async () => {
    expect(await send('/base/v1/x?q=1')).toBe('base.test/x?q=1')
    expect(await send('/base/self/x')).toBe('base.test/x')
  })

  it('is another API of the family, and there a version inside the definition', async () => {
    expect(await send('/base/v2/x?v=a')).toBe('child.test/x')
    expect(await send('/base/v2/x?q=1&v=b')).toBe('child-b.test/x?q=1')
  })

  it('is unknown with 404 in a family, also if its API is not served, and with 403 inside a definition', async () => {
    expect(await send('/base/v9/x')).toBe(404)
    expect(await send('/base/v3/x')).toBe(404)
    expect(await send('/base/v2/x?v=c')).toBe(403)
    expect(await send('/base/v2/x')).toBe(403)
  })
})
