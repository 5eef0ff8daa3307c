/** Renders rejections as JSON-RPC errors; the HTTP status stays (docs/reference/mcp-proxies.md#json-rpc-errors). */
import type { Rejection } from '../../http/rejections.ts'

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

/** Returns the JSON-RPC code for a rejection with this HTTP status. */
export function rpcCodeOf(status: number): number {
  return codes[status] ?? (status >= 500 ? -32603 : -32000)
}

/**
 * Returns the body of a rejection. `idJson`: JSON text of the id of the request. Rejections of invalid messages have their
 * own code and no data, and end in a newline, as in the original gateway.
 */
export function rpcErrorBody({ rpcCode, message, status }: Rejection, idJson: string): string {
  const messageJson = JSON.stringify(message)
  if (rpcCode !== undefined) {
    return `{"jsonrpc":"2.0","error":{"code":${rpcCode},"message":${messageJson}},"id":${idJson}}\n`
  }
  const data = `{"http_code":${status}}`
  return `{"jsonrpc":"2.0","error":{"code":${rpcCodeOf(status)},"message":${messageJson},"data":${data}},"id":${idJson}}`
}
