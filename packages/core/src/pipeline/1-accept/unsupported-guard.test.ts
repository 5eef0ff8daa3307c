import { describe, expect, it } from 'vitest'
import { documentOf, makeDocumentEngine, servingDocument } from '../../../test/support/document-engine.ts'
import { call, makeMcpEngine } from '../../../test/support/mcp/mcp-engine.ts'
import { definitionOf, makeTestEngine } from '../../../test/support/test-engine.ts'
import { collectResponse } from '../../engine/inject.ts'

async function statusesOf(definition: object, paths: readonly string[]) {
  const engine = await makeTestEngine({ definitions: [definitionOf('g', definition)] })
  const statuses: number[] = []
  for (const path of paths) {
    const response = await collectResponse(await engine.send('GET', path))
    statuses.push(response.status)
    if (response.status === 500) expect(response.json()).toEqual({ error: 'Middleware error' })
  }
  return { statuses, upstreamRequests: engine.upstreamRequests, report: engine.engine.report(), logged: engine.logged }
}

describe('something that guards an API and cannot run', () => {
  it('closes the whole API if it is a provider of keys', async () => {
    const provider = { name: 'ldap', storage_engine: 'ldap', meta: {} }
    const { statuses, upstreamRequests, report, logged } = await statusesOf({ auth_provider: provider }, ['/g/a'])
    expect(statuses).toEqual([500])
    expect(upstreamRequests).toHaveLength(0)
    expect(report?.unsupported).toMatchObject([{ apiId: 'g', field: 'auth_provider', closes: true }])
    expect(logged.some(({ level, message }) => level === 'error' && message.includes('cannot run'))).toBe(true)
  })

  it('closes the paths of plugins in Go', async () => {
    const extended_paths = {
      go_plugin: [
        { path: '/a', method: 'GET' },
        { path: '/b', method: 'GET', disabled: true },
      ],
    }
    const versions = { v: { name: 'v', use_extended_paths: true, extended_paths } }
    const definition = { version_data: { not_versioned: true, versions } }
    expect((await statusesOf(definition, ['/g/a', '/g/b'])).statuses).toEqual([500, 200])
  })

  it('closes the operations of a document with plugins of their own', async () => {
    const responses = { 200: { description: 'ok' } }
    const plugins = [{ enabled: false }, { enabled: true, functionName: 'F', path: 'f.so' }]
    const paths = { '/a': { get: { operationId: 'a', responses } }, '/b': { get: { operationId: 'b', responses } } }
    const operations = { a: { postPlugins: plugins }, b: { postPlugins: [{ enabled: false, functionName: 'F' }] } }
    const engine = await makeDocumentEngine(documentOf({ paths }, { middleware: { operations } }))
    const statuses = await Promise.all(['/d/a', '/d/b'].map(async (path) => (await engine.send('GET', path)).status))
    expect(statuses).toEqual([500, 200])
    expect(engine.engine.report()?.unsupported).toMatchObject([
      { closes: true, field: expect.stringContaining('go_plugin') },
    ])
  })

  it('closes a tool with plugins of its own', async () => {
    const mcpTools = { danger: { postPlugins: [{ enabled: true, functionName: 'F' }] }, safe: {} }
    const document = documentOf({}, { server: { listenPath: { value: '/m/', strip: true } }, middleware: { mcpTools } })
    const { post } = await makeMcpEngine({ engine: servingDocument(document, 'mcp') })
    const statuses = []
    for (const name of ['danger', 'safe']) statuses.push((await post(call(name))).status)
    expect(statuses).toEqual([500, 200])
  })

  it('does not close an API with the built-in providers', async () => {
    const builtIn = { name: '', storage_engine: 'redis', meta: {} }
    expect((await statusesOf({ auth_provider: builtIn, session_provider: builtIn }, ['/g/a'])).statuses).toEqual([200])
  })
})
