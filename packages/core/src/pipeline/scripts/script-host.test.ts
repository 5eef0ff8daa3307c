import { expect, it } from 'vitest'
import type { ApiDefinition } from '../../definition/api-definition.ts'
import type { UpstreamOptions } from '../../ports/upstream.ts'
import { makeScriptHost, type ScriptHostServices } from './script-host.ts'

/** The options with which a script's HTTP request connects, on an API whose transport has a proxy. */
async function optionsOf(publicUrlsOnly: boolean): Promise<UpstreamOptions> {
  const seen: UpstreamOptions[] = []
  const proxy = { transport: { proxyUrl: 'http://10.0.0.5:8080' } }
  const document = { proxy, upstreamCertificatesDisabled: true, certificatePinningDisabled: true }
  const api = { document } as unknown as ApiDefinition
  const settings = { upstream: { publicUrlsOnly, insecure: false } } as unknown as ScriptHostServices['settings']
  const upstream: ScriptHostServices['upstream'] = {
    connect(_, options) {
      seen.push(options)
      return { send: () => Promise.resolve({ kind: 'error', reason: 'refused', cause: undefined }), release() {} }
    },
    close: () => Promise.resolve(),
  }
  const parts = { upstream, clock: { now: () => 0 }, settings } as unknown as ScriptHostServices
  const run = makeScriptHost(api, parts, 1000)
  await run('http-request', [JSON.stringify({ Method: 'GET', Domain: 'http://x.test', Resource: '/' })], false)
  return seen[0] as UpstreamOptions
}

it('uses the proxy of the API for HTTP requests of scripts, unless only public addresses are allowed', async () => {
  expect(await optionsOf(false)).toMatchObject({ proxyUrl: 'http://10.0.0.5:8080' })
  expect(await optionsOf(true)).toMatchObject({ publicOnly: true })
  expect(await optionsOf(true)).not.toHaveProperty('proxyUrl')
})
