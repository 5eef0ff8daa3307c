import { describe, expect, it } from 'vitest'
import { makeManualClock } from '../../../test/support/manual-clock.ts'
import { utf8Text } from '../../lib/text/utf8.ts'
import { silentLog } from '../../ports/log.ts'
import type { UpstreamError, UpstreamRequest, UpstreamResponse } from '../../ports/upstream.ts'
import { makeMemoryDedupKeys } from '../../store-memory/memory-dedup-keys.ts'
import { type EventsOptions, makeEvents } from './dispatch-events.ts'
import type { GatewayEvent } from './event.ts'

const ok: UpstreamResponse = { kind: 'response', status: 200, headers: [], body: undefined, bodyLength: 0 }

function setUp(meta: object | object[], more: Partial<EventsOptions> = {}) {
  const clock = makeManualClock()
  const sent: (UpstreamRequest & { readonly origin: string; readonly text: string })[] = []
  const logged: string[] = []
  const links = { open: 0 }
  let response = (): Promise<UpstreamResponse | UpstreamError> => Promise.resolve(ok)
  const events = makeEvents({
    clock,
    dedupKeys: makeMemoryDedupKeys(clock),
    vendor: 'svc',
    log: {
      ...silentLog,
      warn: (text) => logged.push(text),
      error: (text, facts) => logged.push(`${text} ${JSON.stringify(facts)}`),
    },
    upstream: {
      connect(origin) {
        links.open++
        return {
          send(request) {
            sent.push({ ...request, origin, text: utf8Text(request.body as Uint8Array) })
            return response()
          },
          release: () => links.open--,
        }
      },
      close: () => Promise.resolve(),
    },
    handlers: {
      TokenCreated: [meta].flat().map((one) => ({ handler_name: 'eh_web_hook_handler', handler_meta: one })),
    },
    ...more,
  })
  return {
    clock,
    events,
    sent,
    logged,
    links,
    respondWith(make: typeof response) {
      response = make
    },
  }
}

const created = (key: string): GatewayEvent => ({
  name: 'TokenCreated',
  api: undefined,
  at: Date.UTC(2026, 0, 1),
  facts: { about: 'key', message: 'Key generated.', orgId: 'org1', key, keyLogName: 'hash' },
})

const hook = { method: 'POST', target_path: 'https://hooks.test:8443/in?a=1' }

describe('web hooks', () => {
  it('are called asynchronously', async () => {
    const { events, sent, clock } = setUp(hook)
    events.fire(created('k1'))
    expect(sent).toHaveLength(0)
    await clock.run(0)
    expect(sent).toMatchObject([
      { origin: 'https://hooks.test:8443', method: 'POST', path: '/in?a=1', timeoutMs: 30_000 },
    ])
    expect(sent[0]?.headers).toEqual([
      'host',
      'hooks.test:8443',
      'user-agent',
      'Svc-Hookshot',
      'content-type',
      'application/json',
    ])
    expect(JSON.parse(sent[0]?.text ?? '')).toMatchObject({ event: 'TokenCreated', key: 'k1' })
  })

  it('have the headers of header_map, except framing headers and Host', async () => {
    const { events, sent, clock } = setUp({
      ...hook,
      header_map: { 'Content-Type': 'text/plain', 'X-Hook': '1', Host: 'evil', 'Content-Length': '3' },
    })
    events.fire(created('k'))
    await clock.run(0)
    const headers = sent[0]?.headers ?? []
    expect(headers.join(' ')).toContain('content-type text/plain x-hook 1')
    expect(headers).not.toContain('evil')
    expect(headers).not.toContain('content-length')
  })

  it('use GET for an unknown method', async () => {
    const { events, sent, clock } = setUp({ ...hook, method: 'BREW' })
    events.fire(created('k'))
    await clock.run(0)
    expect(sent[0]?.method).toBe('GET')
  })

  it('with event_timeout 0 never send the same body again', async () => {
    const { events, sent, clock } = setUp(hook)
    events.fire(created('k'))
    await clock.run(10 * 365 * 86_400_000)
    events.fire(created('k'))
    events.fire(created('other'))
    await clock.run(0)
    expect(sent).toHaveLength(2)
    expect(events.counts()).toMatchObject({ fired: 3, sent: 2, repeated: 1 })
  })

  it('send the same body again after event_timeout seconds', async () => {
    const { events, sent, clock } = setUp({ ...hook, event_timeout: 60 })
    for (const pause of [59_000, 1000, 0]) {
      events.fire(created('k'))
      await clock.run(pause)
    }
    expect(sent).toHaveLength(2)
  })

  it('are not retried after a failed call', async () => {
    const { events, sent, clock, respondWith, logged } = setUp({ ...hook, event_timeout: 60 })
    respondWith(() => Promise.resolve({ kind: 'error', reason: 'refused', cause: undefined }))
    events.fire(created('k'))
    events.fire(created('k'))
    await clock.run(0)
    expect(sent).toHaveLength(1)
    expect(events.counts()).toMatchObject({ failed: 1, repeated: 1 })
    // The path of a hook URL often contains a secret.
    expect(logged.join()).toContain('hooks.test')
    expect(logged.join()).not.toContain('/in')
  })

  it('that are disabled are not called', () => {
    const { events } = setUp({ ...hook, disabled: true })
    expect(events.hasHandler('TokenCreated', undefined)).toBe(false)
  })

  it('without a valid target are skipped and logged', () => {
    const { events, logged } = setUp([{ target_path: '/nowhere' }, { target_path: 'ftp://x/' }, { target_path: 7 }])
    expect(events.hasHandler('TokenCreated', undefined)).toBe(false)
    expect(logged).toHaveLength(3)
  })

  it('that hang are limited in concurrent calls, and further events are dropped', async () => {
    const { events, sent, clock, respondWith } = setUp(hook)
    respondWith(() => new Promise(() => {}))
    for (let i = 0; i < 1500; i++) events.fire(created(`k${i}`))
    await clock.run(0)
    expect(sent).toHaveLength(4)
    expect(events.counts().dropped).toBe(500)
  })

  it('share a connection and release it later', async () => {
    const { events, clock, links } = setUp(hook)
    events.fire(created('a'))
    await clock.run(1000)
    events.fire(created('b'))
    await clock.run(1000)
    expect(links.open).toBe(1)
    await clock.run(60_000)
    expect(links.open).toBe(0)
  })

  it('have a limited time to finish at a stop', async () => {
    const { events, clock, respondWith } = setUp(hook)
    respondWith(() => new Promise(() => {}))
    events.fire(created('k'))
    let closed = false
    void events.close(5000).then(() => {
      closed = true
    })
    await clock.run(4999)
    expect(closed).toBe(false)
    await clock.run(1)
    expect(closed).toBe(true)
  })
})

describe('templates of web hooks', () => {
  const withTemplate = (source: string | undefined, meta: object = {}) =>
    setUp({ ...hook, template_path: 't.json', ...meta }, { readTemplate: () => source })

  it('can use type, time and fields of the event', async () => {
    const { events, sent, clock } = withTemplate(
      '{{.Type}} {{.TimeStamp}} {{.Meta.Message}} {{.Meta.Org}} {{.Meta.Key}}',
    )
    events.fire(created('k'))
    await clock.run(0)
    expect(sent[0]?.text).toBe('TokenCreated 2026-01-01T00:00:00.000Z Key generated. org1 k')
  })

  it('produce valid JSON for any event', async () => {
    const { events, sent, clock } = withTemplate('{"key":"{{.Meta.Key}}"}')
    events.fire(created('a","admin":"yes\n'))
    await clock.run(0)
    expect(JSON.parse(sent[0]?.text ?? '')).toEqual({ key: 'a","admin":"yes\n' })
  })

  it.each([
    ['application/json', '/x/a\\",\\"key\\":\\"admin&<\'>'],
    ['text/xml', '/x/a&quot;,&quot;key&quot;:&quot;admin&amp;&lt;&apos;&gt;'],
    ['text/html', '/x/a&#34;,&#34;key&#34;:&#34;admin&amp;&lt;&#39;&gt;'],
    ['text/plain', '/x/a&#34;,&#34;key&#34;:&#34;admin&amp;&lt;&#39;&gt;'],
    ['application/x-www-form-urlencoded', '%2Fx%2Fa%22%2C%22key%22%3A%22admin%26%3C%27%3E'],
  ])('escape texts for the content type %s, so that a client cannot add members', async (type, text) => {
    const { events, sent, clock } = withTemplate('{{.Meta.Key}}', { header_map: { 'Content-Type': type } })
    events.fire(created(`/x/a","key":"admin&<'>`))
    await clock.run(0)
    expect(sent[0]?.text).toBe(text)
  })

  it('can use the time', async () => {
    const { events, sent, clock } = withTemplate('{{now | unixEpoch}}')
    events.fire(created('k'))
    await clock.run(0)
    expect(sent[0]?.text).toMatch(/^\d+$/)
  })

  it('that cannot be read are replaced by the default body', async () => {
    const { events, sent, clock, logged } = withTemplate(undefined)
    events.fire(created('k'))
    await clock.run(0)
    expect(JSON.parse(sent[0]?.text ?? '')).toMatchObject({ event: 'TokenCreated' })
    expect(logged).toHaveLength(1)
  })

  it('that are invalid disable the hook', () => {
    const { events, logged } = withTemplate('{{.Meta.')
    expect(events.hasHandler('TokenCreated', undefined)).toBe(false)
    expect(logged[0]).toContain('template is invalid')
  })
})

describe('other handlers', () => {
  it('eh_log_handler logs warnings with its prefix, and keys by their hash', () => {
    const { events, logged } = setUp(hook, {
      handlers: { AuthFailure: [{ handler_name: 'eh_log_handler', handler_meta: { prefix: 'seen' } }] },
    })
    const facts = {
      about: 'request',
      message: 'Auth Failure',
      path: '/a/x',
      origin: '192.0.2.1',
      key: 'secret-key',
      keyLogName: 'hash',
      reason: '',
      originatingRequest: () => '',
    } as const
    events.fire({ name: 'AuthFailure', api: undefined, at: 0, facts })
    expect(logged).toEqual(['seen:AuthFailure:hash:192.0.2.1:/a/x'])
  })

  it('that run scripts are logged and do nothing while scripts are off', () => {
    const handler = { handler_name: 'eh_dynamic_handler', handler_meta: { name: 'f', path: 'f.js' } }
    const { logged } = setUp(hook, { handlers: { KeyExpired: [handler] } })
    expect(logged).toHaveLength(1)
  })

  it('that are unknown are skipped and logged', () => {
    const { logged } = setUp(hook, { handlers: { KeyExpired: [{ handler_name: 'eh_dynamic_handler' }, null] } })
    expect(logged).toHaveLength(2)
  })
})
