import { describe, expect, it } from 'vitest'
import { makeTestEngine } from '../../../test/support/test-engine.ts'

const api = (cors: object) => ({
  api_id: 'a',
  name: 'a',
  CORS: cors,
  proxy: { listen_path: '/in/', target_url: 'http://up.test', strip_listen_path: true },
  version_data: {
    not_versioned: true,
    versions: {
      Default: {
        name: 'Default',
        use_extended_paths: true,
        extended_paths: { black_list: [{ path: '/x' }] },
      },
    },
  },
})

describe('options_passthrough', () => {
  it.each([true, false])('forwards every OPTIONS request without further checks, CORS enabled: %s', async (enable) => {
    const { send, upstreamRequests } = await makeTestEngine({
      definitions: [api({ enable, options_passthrough: true })],
    })
    expect((await send('OPTIONS', '/in/x')).status).toBe(200)
    expect(upstreamRequests.map(({ method, path }) => `${method} ${path}`)).toEqual(['OPTIONS /x'])
  })

  it('does not affect other methods', async () => {
    const { send } = await makeTestEngine({ definitions: [api({ enable: true, options_passthrough: true })] })
    expect((await send('GET', '/in/x')).status).toBe(403)
  })
})
