/**
 * No credential appears in the output of the process: not at level debug, not in request lines, not when
 * something fails around it. Every credential here carries a mark that is looked for afterwards.
 */
import { expect, it } from 'vitest'
import { gatewayConfig, keyedApi, makeFolder, managementKey, openApi, sessionFor } from './support/folder.ts'
import { frontEnds } from './support/front-ends.ts'
import { startForTest } from './support/process.ts'
import { startRecordingUpstream } from './support/upstream.ts'

const mark = 'S3CR3T'
const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

const otherLogs = { hash_keys: false, log_format: 'json', access_logs: { enabled: true }, track_404_logs: true }
const starts: [string, string[], object][] = [
  ...frontEnds.map((frontEnd): [string, string[], object] => [frontEnd, ['--debug'], {}]),
  ['node', ['--debug', '--json'], {}],
  [frontEnds[0] ?? 'node', ['--debug'], otherLogs],
]

it.each(starts)('nothing that authenticates is printed (%s %j %j)', async (frontEnd, args, config) => {
  const upstream = await startRecordingUpstream()
  const folder = makeFolder()
  folder.write(
    'gateway.json',
    gatewayConfig({
      front_end: frontEnd,
      secret: `env://MANAGEMENT_KEY`,
      node_secret: `${mark}-node-secret`,
      secrets: { upstream: `${mark}-of-the-secrets` },
      http_server_options: { max_request_body_size: 100_000 },
      ...config,
    }),
  )
  folder.write(
    'apps/keyed.json',
    keyedApi('keyed', upstream.url, {
      auth: {
        auth_header_name: 'Authorization',
        use_param: true,
        param_name: 'key',
        use_cookie: true,
        cookie_name: 'session',
      },
    }),
  )
  folder.write('apps/basic.json', openApi('basic', upstream.url, { use_keyless: false, use_basic_auth: true }))
  folder.write('apps/down.json', openApi('down', `http://user:${mark}-in-target@127.0.0.1:1/`))
  const withHeaders = {
    not_versioned: true,
    versions: { Default: { name: 'Default', global_headers: { 'X-Upstream-Key': 'secrets://upstream' } } },
  }
  folder.write('apps/headers.json', openApi('headers', upstream.url, { version_data: withHeaders }))
  folder.write('apps/broken.json', `{ "name": "broken", "jwt_source": "${mark}-of-a-broken-file" oops }`)
  folder.write('policies/broken.json', `{ "id": "p", "secret": "${mark}-of-a-broken-policy" `)
  const gateway = await startForTest(folder, args, { environment: { SVC_SECRET_MANAGEMENT_KEY: managementKey } })
  const credentials = [managementKey, mark]

  const ask = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
    fetch(gateway.url + path, { ...init, headers }).then(
      (response) => response.text(),
      () => '',
    )
  await gateway.manage('POST', `/svc/keys/${mark}-own-key`, sessionFor('keyed'))
  const { body } = await gateway.manage('POST', '/svc/keys/create', sessionFor('keyed', 'headers'))
  const { key } = body as { key: string }
  credentials.push(key)
  await gateway.manage('POST', `/svc/keys/acmeanna`, {
    ...sessionFor('basic'),
    basic_auth_data: { password: `${mark}-password` },
    hmac_string: `${mark}-hmac`,
    jwt_data: { secret: `${mark}-jwt` },
  })
  for (const credential of [key, `${mark}-own-key`, `${mark}-unknown`, `Bearer ${mark}-bearer`]) {
    await ask('/keyed/a', { Authorization: credential })
    await ask(`/keyed/a?key=${encodeURIComponent(credential)}&x=1`)
    await ask('/keyed/a', { Cookie: `session=${credential}; other=${mark}` })
    await ask(`/nowhere?access_token=${encodeURIComponent(credential)}`)
  }
  await ask('/basic/a', { Authorization: basic('anna', `${mark}-password`) })
  await ask('/basic/a', { Authorization: basic('anna', `${mark}-wrong`) })
  await ask('/basic/a', { Authorization: `Basic ${mark}` })
  await ask('/headers/a')
  await ask(`/down/a?client_secret=${mark}`, { 'X-Api-Key': mark, Authorization: `${mark}-forwarded` })
  await ask('/keyed/a', {}, { method: 'POST', body: `password=${mark}`.padEnd(200_000) })
  await gateway.manage('GET', `/svc/keys/${mark}-own-key`)
  await gateway.manage('GET', '/svc/keys')
  await gateway.manage('GET', '/svc/apis')
  await gateway.manage('POST', '/svc/keys/x', `{"basic_auth_data":{"password":"${mark}"}, broken`)
  await gateway.manage('POST', '/svc/keys/x', { basic_auth_data: { password: 3, hint: mark }, rate: 'x' })
  await gateway.manage('POST', '/svc/apis', { name: 'x', api_id: '../x', jwt_source: mark })
  await gateway.manage('POST', '/svc/explain', {
    method: 'GET',
    path: `/keyed/a?key=${mark}`,
    headers: { Authorization: key },
  })
  await ask('/svc/keys', { 'X-Svc-Authorization': `${mark}-no-management-key` })
  await gateway.manage('GET', '/svc/reload?block=true')
  await gateway.manage('DELETE', `/svc/keys/${mark}-own-key?org_id=acme`)
  await gateway.stop()
  await upstream.close()
  folder.remove()

  const lines = gateway.text().split('\n')
  // Something was printed at all, rejections among it.
  expect(lines.some((line) => /auth-token/.test(line))).toBe(true)
  for (const credential of credentials) {
    const encoded = Buffer.from(credential).toString('base64').replace(/=+$/, '').slice(0, -1)
    for (const form of [credential, encodeURIComponent(credential), encoded]) {
      expect(lines.filter((line) => line.includes(form))).toEqual([])
    }
  }
})
