/** An MCP server of the official SDK, as an upstream with sessions that records its requests. */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'

export interface TestMcpServer {
  readonly target: string
  /** Names of what was called, read or got, in order. */
  readonly used: string[]
  /** HTTP methods that came with a session's id. */
  readonly inSession: string[]
  readonly protocolVersions: Set<string>
  /** Sends a notification to all clients, over their open streams. */
  announce(text: string): Promise<void>
  close(): Promise<void>
}

/** `jsonAnswers`: plain JSON instead of event streams in response to POSTs. */
export async function startMcpServer(jsonAnswers: boolean): Promise<TestMcpServer> {
  const used: string[] = []
  const inSession: string[] = []
  const protocolVersions = new Set<string>()
  const sessions = new Map<string, { transport: StreamableHTTPServerTransport; server: Server }>()

  const open = async () => {
    const server = makeServer(used)
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: jsonAnswers,
      onsessioninitialized: (id) => void sessions.set(id, { transport, server }),
      onsessionclosed: (id) => void sessions.delete(id),
    })
    await server.connect(transport as Parameters<Server['connect']>[0])
    return transport
  }
  const http = createServer(async (req, res) => {
    const id = headerOf(req, 'mcp-session-id')
    if (id !== undefined) inSession.push(req.method ?? '')
    const version = headerOf(req, 'mcp-protocol-version')
    if (version !== undefined) protocolVersions.add(version)
    const known = id === undefined ? undefined : sessions.get(id)
    if (id !== undefined && known === undefined) {
      res.writeHead(404).end()
      return
    }
    await (known?.transport ?? (await open())).handleRequest(req, res)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    target: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    used,
    inSession,
    protocolVersions,
    async announce(text) {
      for (const { server } of sessions.values()) await server.sendLoggingMessage({ level: 'info', data: text })
    },
    async close() {
      for (const { transport } of sessions.values()) await transport.close()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

function headerOf(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name]
  return Array.isArray(value) ? value[0] : value
}

const toolNames = ['add', 'danger', 'slow', 'ask-model', 'ask-user']
const inputSchema = { type: 'object' as const }

function makeServer(used: string[]): Server {
  const capabilities = { tools: {}, resources: {}, prompts: {}, logging: {} }
  const server = new Server({ name: 'test', version: '1' }, { capabilities })
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: toolNames.map((name) => ({ name, inputSchema })),
  }))
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: ['file:///open', 'file:///secret', 'file:///repo/a'].map((uri) => ({ uri, name: uri })),
  }))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: ['file:///repo/{path}', 'file:///other/{path}'].map((uriTemplate) => ({
      uriTemplate,
      name: uriTemplate,
    })),
  }))
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: ['hello', 'hidden'].map((name) => ({ name })),
  }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    used.push(uri)
    return { contents: [{ uri, text: `text of ${uri}` }] }
  })
  server.setRequestHandler(GetPromptRequestSchema, ({ params: { name } }) => {
    used.push(name)
    return { messages: [{ role: 'user', content: { type: 'text', text: `prompt ${name}` } }] }
  })
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { sendRequest: _ }) => {
    used.push(params.name)
    return { content: [{ type: 'text', text: await resultOf(server, params.name, params.arguments ?? {}) }] }
  })
  return server
}

async function resultOf(server: Server, name: string, given: Record<string, unknown>): Promise<string> {
  if (name === 'add') return String(Number(given['a']) + Number(given['b']))
  if (name === 'ask-model') {
    const content = { type: 'text' as const, text: 'what is 6 times 7?' }
    const response = await server.createMessage({ messages: [{ role: 'user', content }], maxTokens: 10 })
    return JSON.stringify(response.content)
  }
  if (name === 'ask-user') {
    const requestedSchema = { type: 'object' as const, properties: { colour: { type: 'string' as const } } }
    const response = await server.elicitInput({ message: 'which colour?', requestedSchema })
    return JSON.stringify(response.content)
  }
  return name
}
