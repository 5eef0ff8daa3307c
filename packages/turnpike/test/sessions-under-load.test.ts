/** No session with a quota is lost while requests count its quota and management calls write it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@turnpike/adapters/clock-system'
import { makeFakeUpstream } from '@turnpike/testkit'
import { expect, it, onTestFinished } from 'vitest'
import { createGateway } from '../src/gateway/create-gateway.ts'
import { defineApi } from '../src/gateway/define-api.ts'

const secret = 'management'
const keys = 10
const rounds = 40
const session = {
  ...{ org_id: 'acme', rate: 1e6, per: 1, quota_max: 1e6, quota_renewal_rate: 3600 },
  access_rights: { keyed: { api_id: 'keyed', versions: ['Default'] } },
}

it.each(['memory', 'lmdb'] as const)('store %s', async (store) => {
  const definitions = [defineApi({ id: 'keyed', target: 'http://upstream.test/', orgId: 'acme' })]
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-sessions-'))
  const upstream = makeFakeUpstream(systemClock)
  const config = { secret, data_path: folder }
  const gateway = await createGateway({ config, definitions, upstream, store, log: 'silent' })
  onTestFinished(async () => {
    await gateway.close(0)
    rmSync(folder, { recursive: true, force: true })
  })
  const manage = async (method: string, id: string, body?: object) => {
    const response = await gateway.inject({
      ...{ method, url: `/svc/keys/${id}?org_id=acme&suppress_reset=1`, headers: { 'x-svc-authorization': secret } },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, json: JSON.parse(response.text()) }
  }
  const ids = Array.from({ length: keys }, (_, i) => `key-${i}`)
  for (const id of ids) expect((await manage('POST', id, session)).status).toBe(200)
  const use = async (id: string) => (await gateway.inject({ url: '/keyed/x', headers: { Authorization: id } })).status
  const statuses = new Set<number>()
  for (let round = 0; round < rounds; round++) {
    const calls = ids.flatMap((id) => [use(id), use(id), use(id)])
    const writes = ids.map((id) => manage('PUT', id, { ...session, alias: `round ${round}` }))
    for (const status of await Promise.all(calls)) statuses.add(status)
    for (const { status } of await Promise.all(writes)) expect(status).toBe(200)
  }
  expect([...statuses]).toEqual([200])
  for (const id of ids) {
    const { json } = await manage('GET', id)
    expect(json).toMatchObject({ quota_max: 1e6, quota_remaining: 1e6 - 3 * rounds, alias: `round ${rounds - 1}` })
  }
})
