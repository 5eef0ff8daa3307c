import type { Primitive } from '../../definition/mcp/primitive.ts'

/** The parts of a JSON-RPC message from a client of an MCP proxy that stages use. */
export interface McpMessage {
  /** JSON text of the request's id, exactly as sent; `null` if it has none. */
  readonly idJson: string
  /** Empty if the message is a response to a request of the server. */
  readonly method: string
  /** The tool, resource or prompt that the method names. */
  readonly primitive: Primitive | undefined
}
