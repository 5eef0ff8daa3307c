import { describe, expect, it } from 'vitest'
import { definitionOf, makeTestEngine } from '../../test/support/test-engine.ts'
import type { DebugListener } from './debug-request.ts'
import { collectResponse, makeInjectedRequest } from './inject.ts'

function recorder() {
  const lines: string[] = []
  const listener: DebugListener = {
    log: (level, message) => lines.push(`${level} ${message}`),
    started: (stage) => lines.push(`started ${stage}`),
    finished: (stage, _phase, _micros, end) =>
      lines.push(`finished ${stage} ${end?.status ?? ''} ${end?.message ?? ''}`.trim()),
  }
  return { lines, listener }
}

const cache_options = { enable_cache: true, cache_timeout: 60, cache_all_safe_requests: true }

async function setUp(served: object[] = []) {
  const { engine, upstreamRequests, putKey, send } = await makeTestEngine({ definitions: served })
  const { lines, listener } = recorder()
  const replay = async (definition: object, headers: Record<string, string> = {}) => {
    const request = (listenPath: string) => makeInjectedRequest({ url: `${listenPath}x`, headers })
    const result = await engine.debugRequest({ text: JSON.stringify(definition) }, request, listener, () => 0)
    if (result.problem !== undefined) return { problem: result.problem }
    return {
      status: result.response.status,
      sent: result.sent,
      left: result.left,
      body: (await collectResponse(result.response)).text(),
    }
  }
  return { engine, replay, lines, upstreamRequests, putKey, send }
}

describe('a replay', () => {
  it('sends the request through a definition that is neither served nor listed afterwards', async () => {
    const { engine, replay, send } = await setUp([definitionOf('other', {})])
    const { status, sent } = await replay(definitionOf('draft', {}))
    expect([status, sent?.path]).toEqual([200, '/x'])
    expect(engine.definitions().map(({ id }) => id)).toEqual(['other'])
    expect((await send('GET', '/draft/x')).status).toBe(404)
  })

  it('reports stages with their results, in order', async () => {
    const { replay, lines } = await setUp()
    const definition = { ...definitionOf('draft', {}), use_keyless: false, use_standard_auth: true }
    expect(await replay(definition)).toMatchObject({ status: 401, sent: undefined })
    expect(lines).toContain('started auth-token')
    expect(lines).toContain('finished auth-token 401 Authorization field missing')
  })

  it('keeps the request as the stages left it if the gateway answers', async () => {
    const { replay } = await setUp()
    const definition = definitionOf('draft', {
      version_data: { not_versioned: true, versions: { v: { name: 'v', global_headers: { 'X-All': '1' } } } },
      // Without a key, signing rejects the request behind the stages that change it.
      request_signing: { is_enabled: true },
    })
    const { sent, left } = await replay(definition, { 'x-own': '2' })
    expect(sent).toBeUndefined()
    expect(left?.headers.join()).toContain('x-own,2,x-all,1')
  })

  it('neither reads nor fills the cache of a served API with the same id', async () => {
    const definition = definitionOf('same', { cache_options })
    const { replay, send, upstreamRequests } = await setUp([definition])
    await replay(definition)
    await send('GET', '/same/x')
    await replay(definition)
    expect(upstreamRequests).toHaveLength(3)
  })

  it("counts the API's own rate by the content of the definition", async () => {
    const definition = definitionOf('same', { global_rate_limit: { rate: 1, per: 60 } })
    const { replay, send } = await setUp([definition])
    expect((await send('GET', '/same/x')).status).toBe(200)
    expect((await send('GET', '/same/x')).status).toBe(429)
    expect((await replay(definition)).status).toBe(200)
    expect((await replay(definition)).status).toBe(429)
    expect((await replay({ ...definition, name: 'changed' })).status).toBe(200)
  })

  it('reports why a definition cannot be served', async () => {
    const { replay } = await setUp()
    const definition = definitionOf('draft', {})
    expect(await replay({ ...definition, proxy: { listen_path: '', target_url: 'http://u' } })).toMatchObject({
      problem: expect.stringContaining('must not be empty'),
    })
    expect(await replay({ ...definition, custom_middleware_bundle: 'b.zip' })).toMatchObject({
      problem: expect.stringContaining('bundle'),
    })
  })
})
