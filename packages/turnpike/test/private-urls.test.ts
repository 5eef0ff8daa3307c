/** `private_urls: "forbid"`: web hooks and key sets at private addresses are not called; targets of APIs are. */
import { makeMemoryLog } from '@turnpike/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { createGateway } from '../src/gateway/create-gateway.ts'
import { openApi } from './support/folder.ts'
import { startRecordingUpstream } from './support/upstream.ts'

const header = Buffer.from(JSON.stringify({ alg: 'RS256', kid: 'k' })).toString('base64url')
const claims = Buffer.from(JSON.stringify({ sub: 'x', exp: 4_000_000_000 })).toString('base64url')

async function start(privateUrls: 'allow' | 'forbid') {
  const [target, internal] = await Promise.all([startRecordingUpstream(), startRecordingUpstream()])
  const log = makeMemoryLog()
  const own = internal.url.replace(/\/$/, '')
  const atName = own.replace('127.0.0.1', 'localhost')
  const hook = (url: string) => ({
    handler_name: 'eh_web_hook_handler' as const,
    handler_meta: { method: 'POST', target_path: url, event_timeout: 60 },
  })
  const jwt = {
    use_keyless: false,
    enable_jwt: true,
    jwt_signing_method: 'rsa',
    jwt_source: Buffer.from(`${atName}/keys`).toString('base64'),
    jwt_identity_base_field: 'sub',
  }
  const gateway = await createGateway({
    config: {
      private_urls: privateUrls,
      event_handlers: { events: { TokenCreated: [hook(`${own}/hook`), hook(`${atName}/hook`)] } },
    },
    store: 'memory',
    log,
    definitions: [openApi('open', target.url), openApi('jwt', target.url, jwt)] as never,
  })
  onTestFinished(async () => {
    await gateway.close(0)
    await Promise.all([target.close(), internal.close()])
  })
  expect((await gateway.inject('/open/x')).status).toBe(200)
  await gateway.keys.create({ org_id: 'acme', access_rights: { open: { api_id: 'open', versions: ['Default'] } } })
  const headers = { authorization: `Bearer ${header}.${claims}.c2ln` }
  expect((await gateway.inject({ url: '/jwt/x', headers })).status).toBe(403)
  const failures = () => log.lines.filter(({ message }) => message === 'cannot call a web hook').length
  return { failures, urls: () => internal.seen.map(({ url }) => url).toSorted() }
}

test('hooks and key sets at private addresses are not called if they are forbidden', async () => {
  const { failures, urls } = await start('forbid')
  await expect.poll(failures).toBe(2)
  expect(urls()).toEqual([])
})

test('they are called otherwise', async () => {
  const { urls } = await start('allow')
  await expect.poll(() => new Set(urls())).toEqual(new Set(['/hook', '/keys']))
})
