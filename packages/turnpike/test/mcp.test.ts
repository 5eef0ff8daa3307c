/** MCP proxies as clients and servers of the official SDK meet them: sockets at both ends, both front ends. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { createGateway } from 'turnpike'
import { afterEach, describe, expect, it } from 'vitest'
import { frontEnds, type TestedFrontEnd } from './support/front-ends.ts'
import { startMcpServer } from './support/mcp-server.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const on = { enabled: true }
const middleware = {
  mcpTools: { danger: { block: on }, slow: { rateLimit: { ...on, rate: 1, per: '1h' } } },
  mcpResources: { 'file:///secret': { block: on }, 'file:///repo/*': { block: on } },
  mcpPrompts: { hello: { allow: on } },
}
const key = { in: 'header', name: 'X-Key' }
const keyed = {
  security: [{ key: [] }],
  components: { securitySchemes: { key: { type: 'apiKey', ...key } } },
}

function proxy(id: string, target: string, more: object = {}, server: object = {}) {
  return {
    openapi: '3.0.3',
    info: { title: id, version: '1' },
    paths: {},
    'x-svc-api-gateway': {
      info: { id, name: id, orgId: '', state: { active: true } },
      server: { listenPath: { value: `/${id}/`, strip: true }, ...server },
      upstream: { url: target },
      middleware,
    },
    ...more,
  }
}

async function makeSetup(frontEnd: TestedFrontEnd, jsonAnswers: boolean) {
  const upstream = await startMcpServer(jsonAnswers)
  cleanups.push(() => upstream.close())
  const gateway = await createGateway({ frontEnd, log: 'silent', config: { secret: 'management' } })
  cleanups.push(() => gateway.close(0))
  const authentication = { ...on, securitySchemes: { key: { ...on, header: { ...on, name: 'X-Key' } } } }
  const documents = [proxy('open', upstream.target), proxy('keyed', upstream.target, keyed, { authentication })]
  for (const document of documents) {
    const body = JSON.stringify(document)
    const headers = { 'x-svc-authorization': 'management', 'content-type': 'application/json' }
    const added = await gateway.inject({ method: 'POST', url: '/svc/mcps', headers, body })
    expect(added.status, added.text()).toBe(200)
  }
  expect((await gateway.reload()).failed).toEqual([])
  const { url } = await gateway.listen(0, '127.0.0.1')

  const connect = async (path: string, headers: Record<string, string> = {}) => {
    const capabilities = { sampling: {}, elicitation: {} }
    const client = new Client({ name: 'client', version: '1' }, { capabilities })
    client.setRequestHandler(CreateMessageRequestSchema, () => ({
      model: 'm',
      role: 'assistant',
      content: { type: 'text', text: '42' },
    }))
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { colour: 'blue' } }))
    const transport = new StreamableHTTPClientTransport(new URL(url + path), { requestInit: { headers } })
    await client.connect(transport as Parameters<Client['connect']>[0])
    cleanups.push(() => client.close())
    return { client, transport }
  }
  return { upstream, gateway, connect, url }
}

const names = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name)

describe.each(frontEnds)('an MCP proxy on the %s front end', { timeout: 30_000 }, (frontEnd) => {
  describe.each([
    ['event streams', false],
    ['plain JSON', true],
  ])('before a server that responds with %s', (_, jsonAnswers) => {
    it('lets a client begin, use what is open, and end its session', async () => {
      const { connect, upstream } = await makeSetup(frontEnd, jsonAnswers)
      const { client, transport } = await connect('/open/')
      expect(await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } })).toMatchObject({
        content: [{ text: '5' }],
      })
      expect(await client.readResource({ uri: 'file:///open' })).toMatchObject({
        contents: [{ text: 'text of file:///open' }],
      })
      expect(await client.getPrompt({ name: 'hello' })).toMatchObject({ messages: [{ role: 'user' }] })
      await transport.terminateSession()
      expect(upstream.inSession).toContain('DELETE')
      expect([...upstream.protocolVersions]).toEqual([transport.protocolVersion])
    })

    it('hides what is blocked from all lists', async () => {
      const { connect } = await makeSetup(frontEnd, jsonAnswers)
      const { client } = await connect('/open/')
      expect(names((await client.listTools()).tools)).toEqual(['add', 'slow', 'ask-model', 'ask-user'])
      expect(names((await client.listResources()).resources)).toEqual(['file:///open'])
      expect(names((await client.listResourceTemplates()).resourceTemplates)).toEqual(['file:///other/{path}'])
      expect(names((await client.listPrompts()).prompts)).toEqual(['hello'])
    })

    it('rejects calls that are blocked or over their rate before the upstream', async () => {
      const { connect, upstream } = await makeSetup(frontEnd, jsonAnswers)
      const { client } = await connect('/open/')
      await expect(client.callTool({ name: 'danger' })).rejects.toThrow(/forbidden/)
      await expect(client.readResource({ uri: 'file:///repo/a/b' })).rejects.toThrow(/forbidden/)
      await expect(client.getPrompt({ name: 'hidden' })).rejects.toThrow(/disallowed/)
      await client.callTool({ name: 'slow' })
      await expect(client.callTool({ name: 'slow' })).rejects.toThrow(/Rate Limit Exceeded/)
      expect(upstream.used).toEqual(['slow'])
    })
  })

  it('carries requests of the server to the client, and the responses back', async () => {
    const { connect } = await makeSetup(frontEnd, false)
    const { client } = await connect('/open/')
    expect(await client.callTool({ name: 'ask-model' })).toMatchObject({ content: [{ text: /42/ }] })
    expect(await client.callTool({ name: 'ask-user' })).toMatchObject({ content: [{ text: /blue/ }] })
  })

  it('carries what the server says unasked over the stream that the client keeps open', async () => {
    const { connect, upstream } = await makeSetup(frontEnd, false)
    const { client } = await connect('/open/')
    const heard: unknown[] = []
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void heard.push(params.data))
    await expect.poll(() => upstream.inSession, { timeout: 15_000 }).toContain('GET')
    // The server may register the stream shortly before it writes to it.
    const announced = async () => {
      await upstream.announce('news')
      return heard
    }
    await expect.poll(announced, { timeout: 15_000 }).toContain('news')
  })

  it('shows and opens to a key only what its rights say', async () => {
    const { connect, gateway, upstream } = await makeSetup(frontEnd, false)
    await expect(connect('/keyed/')).rejects.toThrow()
    const right = {
      api_id: 'keyed',
      mcp_access_rights: { tools: { blocked: ['ask-.*'] }, resources: { allowed: ['file:///other/.*'] } },
      json_rpc_methods_access_rights: { blocked: ['prompts/.*'] },
    }
    const made = await gateway.keys.create({ access_rights: { keyed: right } })
    const { client } = await connect('/keyed/', { 'x-key': made.key })
    expect(names((await client.listTools()).tools)).toEqual(['add', 'slow'])
    expect(names((await client.listResources()).resources)).toEqual([])
    await expect(client.callTool({ name: 'ask-model' })).rejects.toThrow("tool 'ask-model' is not available")
    await expect(client.listPrompts()).rejects.toThrow("method 'prompts/list' is not available")
    expect(upstream.used).toEqual([])
  })

  it('reports a client without a key where to log in', async () => {
    const { url } = await makeSetup(frontEnd, false)
    const headers = { 'content-type': 'application/json' }
    const rejected = await fetch(`${url}/keyed/`, {
      method: 'POST',
      headers,
      body: '{"jsonrpc":"2.0","method":"ping","id":"7"}',
    })
    expect(rejected.status).toBe(401)
    expect(rejected.headers.get('www-authenticate')).toBe(
      `Bearer realm="svc", resource_metadata="${url}/keyed/.well-known/oauth-protected-resource"`,
    )
    expect(await rejected.json()).toMatchObject({ id: '7', error: { code: -32001, data: { http_code: 401 } } })
  })
})
