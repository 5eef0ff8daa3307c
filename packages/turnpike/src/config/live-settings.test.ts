import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { appliedWithoutRestart, compareConfigs, toDocument, withValues } from './live-settings.ts'
import { loadConfig } from './load-config.ts'
import { toSettings } from './to-settings.ts'

const load = (document: Record<string, unknown>) => loadConfig({ document, environment: {}, cwd: '/' }).config

describe('a changed configuration', () => {
  it.each<[Record<string, unknown>, Record<string, unknown>, string[], string[]]>([
    [{}, {}, [], []],
    [{}, { listen_port: 9000 }, [], ['listen_port']],
    [{}, { proxy_default_timeout: 5 }, ['proxy_default_timeout'], []],
    [
      {},
      { http_server_options: { max_response_body_size: 5, use_ssl: true } },
      ['http_server_options.max_response_body_size'],
      ['http_server_options.use_ssl'],
    ],
    [{ override_messages: { a: { code: 1 } } }, { override_messages: { b: { code: 2 } } }, ['override_messages'], []],
    [{ storage: { type: 'lmdb' } }, { storage: { type: 'memory' } }, [], ['storage.type']],
    [{}, { secrets: { db: 'x' } }, [], ['secrets']],
    [{}, { reload_interval: 7, jaeger: { x: 1 } }, [], []],
  ])('%j to %j', (before, after, live, needRestart) => {
    expect(compareConfigs(toDocument(load(before)), toDocument(load(after)))).toEqual({ live, needRestart })
  })

  it('applies the values of single keys and keeps all others', () => {
    const running = load({ listen_port: 8080, proxy_default_timeout: 30, secret: 'old' })
    const next = toDocument(load({ listen_port: 9000, proxy_default_timeout: 5, secret: 'new' }))
    const changed = withValues(running, next, ['proxy_default_timeout'])
    expect(changed).toMatchObject({ listenPort: 8080, proxyDefaultTimeout: 5, secret: 'old' })
    expect(toSettings(changed).upstream.timeoutMs).toBe(5000)
  })

  it('the documentation lists the keys that are applied', () => {
    const page = readFileSync(new URL('../../../../docs/reference/hot-reload.md', import.meta.url), 'utf8')
    const list = /to the running gateway:\n\n(.*)\n/.exec(page)?.[1]
    expect(list).toBe(appliedWithoutRestart.map((key) => `\`${key}\``).join(', '))
  })

  it('every key that is applied exists', () => {
    const document = toDocument(load({}))
    for (const key of appliedWithoutRestart) {
      const found = key.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)?.[name], document)
      expect(found, key).not.toBeUndefined()
    }
  })
})
