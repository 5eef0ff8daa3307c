/** An engine with one MCP proxy, and messages to it. Not part of the package's surface. */

import type { EngineOptions } from '../../../src/engine/engine-options.ts'
import { collect, streamOf } from '../../../src/http/byte-stream.ts'
import type { GatewayResponse } from '../../../src/http/messages.ts'
import { utf8Bytes, utf8Text } from '../../../src/lib/text/utf8.ts'
import type { GatewaySettings } from '../../../src/ports/settings.ts'
import type { UpstreamResponse } from '../../../src/ports/upstream.ts'
import { definitionOf, makeTestEngine, requestOf, type TestEngine } from '../test-engine.ts'

export interface McpEngineOptions {
  /** Lists of rules by path. */
  readonly paths?: object
  readonly definition?: object
  readonly settings?: Partial<GatewaySettings>
  readonly engine?: Partial<EngineOptions>
  /** Response of the upstream. */
  readonly response?: Partial<UpstreamResponse>
}

export interface McpEngine extends TestEngine {
  /** Sends a body, or a message, to the proxy. */
  post(body: string | Uint8Array | object, headers?: Record<string, string>): Promise<McpReply>
  get(path?: string, headers?: Record<string, string>): Promise<McpReply>
}

export interface McpReply {
  readonly status: number
  readonly text: string
  readonly response: GatewayResponse
}

export const rule = (path: string, more: object = {}) => ({ path, method: 'POST', ...more })
export const call = (name: unknown, more: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name },
  ...more,
})

export async function makeMcpEngine({
  paths = {},
  definition,
  settings,
  response,
  engine: parts,
}: McpEngineOptions = {}): Promise<McpEngine> {
  const version = { name: 'Default', use_extended_paths: true, extended_paths: paths }
  const engine = await makeTestEngine({
    definitions: [
      definitionOf('m', {
        application_protocol: 'mcp',
        version_data: { not_versioned: true, versions: { Default: version } },
        ...definition,
      }),
    ],
    ...(settings === undefined ? {} : { settings }),
    ...(parts === undefined ? {} : { engine: parts }),
    upstream: () =>
      Promise.resolve({
        kind: 'response',
        status: 200,
        headers: ['content-type', 'application/json'],
        body: utf8Bytes('{}'),
        bodyLength: undefined,
        ...response,
      }),
  })
  const read = async (made: GatewayResponse | Promise<GatewayResponse>): Promise<McpReply> => {
    const given = await made
    const { body } = given
    const bytes = typeof body === 'string' ? utf8Bytes(body) : body
    const whole = bytes === undefined || bytes instanceof Uint8Array ? bytes : await collect(bytes)
    return { status: given.status, text: whole === undefined ? '' : utf8Text(whole), response: given }
  }
  return {
    ...engine,
    post(body, headers = {}) {
      const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
      const bytes = typeof text === 'string' ? utf8Bytes(text) : text
      const allHeaders = { 'content-type': 'application/json', 'content-length': String(bytes.length), ...headers }
      const request = { ...requestOf('POST', '/m/?q=1', allHeaders), body: streamOf(bytes), bodyLength: bytes.length }
      return read(engine.engine.handle(request))
    },
    get: (path = '/m/', headers = {}) =>
      read(engine.engine.handle(requestOf('GET', path, { host: 'gateway.test', ...headers }))),
  }
}
