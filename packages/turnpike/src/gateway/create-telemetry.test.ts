import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeFakeUpstream, makeMemoryLog, makeVirtualClock } from '@turnpike/testkit'
import { describe, expect, it } from 'vitest'
import { createGateway } from './create-gateway.ts'
import { defineApi } from './define-api.ts'

const api = defineApi({ id: 'a', target: 'http://upstream.test/', orgId: 'acme' })
const hookTo = (path: string, more: object = {}) => [
  {
    handler_name: 'eh_web_hook_handler',
    handler_meta: { method: 'POST', target_path: `http://hooks.test${path}`, event_timeout: 60, ...more },
  },
]

async function setUp(config: object, files: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'events-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const file = join(folder, 'gateway.json')
  writeFileSync(file, JSON.stringify({ listen_address: '127.0.0.1', storage: { type: 'memory' }, ...config }))
  const clock = makeVirtualClock()
  const log = makeMemoryLog()
  const upstream = makeFakeUpstream(clock)
  const gateway = await createGateway({ config: file, clock, log, upstream, definitions: [api] })
  const bodies = () =>
    upstream.requests
      .filter(({ origin }) => origin === 'http://hooks.test')
      .map(({ path, body }) => [path, new TextDecoder().decode(body)] as const)
  return { gateway, clock, log, bodies }
}

const rights = { org_id: 'acme', access_rights: { a: { versions: ['Default'] } } }

describe('events of the configuration', () => {
  it('report keys that are made, changed and removed', async () => {
    const events = { TokenCreated: hookTo('/c'), TokenUpdated: hookTo('/u'), TokenDeleted: hookTo('/d') }
    const { gateway, clock, bodies } = await setUp({ event_handlers: { events } })
    const { key } = await gateway.keys.create(rights)
    await gateway.keys.update(key, rights, { orgId: 'acme' })
    await gateway.keys.remove(key, { orgId: 'acme' })
    await clock.run(10)
    expect(bodies().map(([path, body]) => [path, JSON.parse(body)])).toEqual([
      ['/c', { event: 'TokenCreated', message: 'Key generated.', org: 'acme', key }],
      ['/u', { event: 'TokenUpdated', message: 'Key modified.', org: 'acme', key }],
      ['/d', { event: 'TokenDeleted', message: 'Key deleted.', org: 'acme', key }],
    ])
    await gateway.close(0)
  })

  it('read templates from the folders for them', async () => {
    const events = { TokenCreated: hookTo('/c', { template_path: 'templates/t.json' }) }
    const files = { 'templates/t.json': '{"made":"{{.Meta.Key}}"}' }
    const { gateway, clock, bodies } = await setUp({ event_handlers: { events } }, files)
    const { key } = await gateway.keys.create(rights)
    await clock.run(10)
    expect(bodies()).toEqual([['/c', JSON.stringify({ made: key })]])
    await gateway.close(0)
  })

  it.each(['gateway.json', '../../etc/passwd', '/etc/passwd', 'templates/../gateway.json'])(
    'read no template at %s',
    async (path) => {
      const events = { TokenCreated: hookTo('/c', { template_path: path }) }
      const { gateway, clock, bodies, log } = await setUp({ event_handlers: { events } })
      await gateway.keys.create(rights)
      await clock.run(10)
      expect(JSON.parse(bodies()[0]?.[1] ?? '')).toMatchObject({ event: 'TokenCreated' })
      expect(log.lines.some(({ message }) => message.includes('cannot be read'))).toBe(true)
      await gateway.close(0)
    },
  )

  it('the monitor reports used shares of quotas', async () => {
    const { gateway, clock, bodies } = await setUp({
      monitor: {
        enable_trigger_monitors: true,
        configuration: { method: 'POST', target_path: 'http://hooks.test/m', event_timeout: 60 },
        global_trigger_limit: 50,
        monitor_user_keys: true,
      },
    })
    const { key } = await gateway.keys.create({ ...rights, quota_max: 4, quota_renewal_rate: 3600 })
    for (let i = 0; i < 3; i++) await gateway.inject({ url: '/a/x', headers: { Authorization: key } })
    await clock.run(10)
    expect(bodies().map(([, body]) => JSON.parse(body))).toEqual([
      { event: 'TriggerExceeded', message: 'Quota trigger reached', org: 'acme', key, trigger_limit: '50' },
    ])
    await gateway.close(0)
  })
})
