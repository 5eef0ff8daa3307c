/** Refusals as JSON-RPC errors, the HTTP status kept. Source: spec/oas-and-mcp.md 2.2, 2.3. */
import type { Rejection } from '../../http/errors.ts'

const codes: Readonly<Record<number, number>> = {
  400: -32600,
  401: -32001,
  403: -32002,
  404: -32601,
  405: -32600,
  429: -32003,
  502: -32004,
  503: -32004,
  504: -32004,
}

/** The JSON-RPC code for a refusal with this HTTP status. */
export function rpcCodeOf(status: number): number {
  return codes[status] ?? (status >= 500 ? -32603 : -32000)
}

/**
 * The body of a refusal. `idJson`: JSON of the request's id. Refusals of messages that cannot be read carry a code of
 * their own and no data, and end in a newline.
 */
export function rpcErrorBody({ rpcCode, message, status }: Rejection, idJson: string): string {
  const told = JSON.stringify(message)
  if (rpcCode !== undefined) {
    return `{"jsonrpc":"2.0","error":{"code":${rpcCode},"message":${told}},"id":${idJson}}\n`
  }
  const data = `{"http_code":${status}}`
  return `{"jsonrpc":"2.0","error":{"code":${rpcCodeOf(status)},"message":${told},"data":${data}},"id":${idJson}}`
}
