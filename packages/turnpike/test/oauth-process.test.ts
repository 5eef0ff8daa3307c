/** OAuth in the built process: what it prints, and what it still knows after it was killed. */
import { expect, it } from 'vitest'
import { type Folder, makeFolder, managementKey, openApi, sessionFor } from './support/folder.ts'
import { frontEnds } from './support/front-ends.ts'
import { type RunningGateway, startForTest } from './support/process.ts'
import { startRecordingUpstream } from './support/upstream.ts'

const mark = 'S3CR3T'
const basic = `Basic ${Buffer.from(`app:${mark}-client`).toString('base64')}`

function makeOAuthFolder(target: string, config: object = {}): Folder {
  const folder = makeFolder(config)
  folder.write(
    'apps/shop.json',
    openApi('shop', target, {
      use_keyless: false,
      use_oauth2: true,
      oauth_meta: {
        allowed_access_types: ['authorization_code', 'refresh_token', 'password'],
        allowed_authorize_types: ['code', 'token'],
        auth_login_redirect: 'http://127.0.0.1:1/login',
      },
      // Nothing listens there, so the failure is logged.
      notifications: { shared_secret: `${mark}-shared`, oauth_on_keychange_url: `http://127.0.0.1:1/${mark}-path` },
    }),
  )
  return folder
}

function clientOf(gateway: RunningGateway) {
  const post = async (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const response = await fetch(gateway.url + path, { method: 'POST', headers, body: new URLSearchParams(fields) })
    return (await response.json()) as Record<string, string>
  }
  return {
    post,
    token: (fields: Record<string, string>) => post('/shop/oauth/token', fields, { authorization: basic }),
    approve: (fields: Record<string, string> = {}) =>
      post(
        '/shop/svc/oauth/authorize-client/',
        { response_type: 'code', client_id: 'app', key_rules: JSON.stringify(sessionFor('shop')), ...fields },
        { 'x-svc-authorization': managementKey },
      ),
    use: async (token = '') =>
      (await fetch(`${gateway.url}/shop/x`, { headers: { authorization: `Bearer ${token}` } })).status,
    makeClient: () =>
      gateway.manage('POST', '/svc/oauth/clients/create', {
        api_id: 'shop',
        client_id: 'app',
        secret: `${mark}-client`,
        redirect_uri: 'http://127.0.0.1:1/cb',
      }),
  }
}

it.each(frontEnds)('no code, token or secret is printed (%s)', async (frontEnd) => {
  const upstream = await startRecordingUpstream()
  const folder = makeOAuthFolder(upstream.url, { front_end: frontEnd, access_logs: { enabled: true } })
  const gateway = await startForTest(folder, ['--debug'])
  const { post, token, approve, use, makeClient } = clientOf(gateway)
  await makeClient()
  const { code } = await approve()
  const first = await token({ grant_type: 'authorization_code', code: code ?? '' })
  expect(await use(first['access_token'])).toBe(200)
  const second = await token({ grant_type: 'refresh_token', refresh_token: first['refresh_token'] ?? '' })
  const implicit = await approve({ response_type: 'token' })
  await token({ grant_type: 'authorization_code', code: code ?? '', code_verifier: `${mark}-verifier` })
  await token({ grant_type: 'password', username: 'anna', password: `${mark}-password` })
  await post('/shop/oauth/token', { grant_type: 'password' }, { authorization: `Basic ${mark}` })
  await fetch(`${gateway.url}/shop/oauth/revoke?token=${implicit['access_token']}&x=${mark}`)
  await post('/shop/oauth/revoke_all', { client_id: 'app', client_secret: `${mark}-client` })
  await gateway.manage('DELETE', `/svc/oauth/refresh/${second['refresh_token']}?api_id=shop`)
  await gateway.manage('POST', '/svc/oauth/clients/create', `{"secret":"${mark}", broken`)
  await expect.poll(() => gateway.text(), { timeout: 20_000 }).toMatch(/oauth/i)
  await gateway.stop()
  await upstream.close()
  folder.remove()

  const secrets = [mark, code, implicit['access_token'], managementKey]
  for (const response of [first, second]) secrets.push(response['access_token'], response['refresh_token'])
  for (const secret of secrets) {
    expect(secret).toBeTruthy()
    const lines = gateway.text().split('\n')
    expect(lines.filter((line) => line.includes(secret as string))).toEqual([])
  }
})

it('clients, tokens and what was spent outlive a process that is killed', async () => {
  const upstream = await startRecordingUpstream()
  const folder = makeOAuthFolder(upstream.url)
  const before = await startForTest(folder)
  const early = clientOf(before)
  await early.makeClient()
  const [{ code: spent = '' }, { code: kept = '' }] = [await early.approve(), await early.approve()]
  const tokens = await early.token({ grant_type: 'authorization_code', code: spent })
  before.child.kill('SIGKILL')
  await before.ended

  const after = await startForTest(folder)
  const { token, use } = clientOf(after)
  expect(await use(tokens['access_token'])).toBe(200)
  expect((await token({ grant_type: 'authorization_code', code: kept }))['token_type']).toBe('bearer')
  const renewed = await token({ grant_type: 'refresh_token', refresh_token: tokens['refresh_token'] ?? '' })
  expect(await use(renewed['access_token'])).toBe(200)
  // The code was used before the kill, so its tokens end with the second use.
  expect((await token({ grant_type: 'authorization_code', code: spent }))['error']).toBe('invalid_grant')
  expect(await use(renewed['access_token'])).toBe(403)
  await after.stop()
  await upstream.close()
  folder.remove()
})
