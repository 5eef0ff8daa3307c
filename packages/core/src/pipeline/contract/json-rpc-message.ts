import type { Primitive } from '../../definition/mcp/primitive.ts'

/** What a client of an MCP proxy asks for in a JSON-RPC message. */
export interface McpMessage {
  /** JSON of the request's id, as written; `null` where it has none. */
  readonly idJson: string
  /** Empty: it is an answer to a request of the server. */
  readonly method: string
  /** What a call, a reading or a prompt is about. */
  readonly primitive: Primitive | undefined
}
