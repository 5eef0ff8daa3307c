/** Writes error responses of the front end to uWS. */
import { type ErrorResponse, errorHeadersOf } from '../front-end-common/error-responses.ts'
import { statusText } from '../front-end-common/status-text.ts'
import type { UwsResponse } from './uws-binding.ts'

/** Milliseconds that a rejected upload is still read. */
const lingerMs = 2_000

/** Writes a complete error response. Must be called inside `cork`. The response object is invalid afterwards. */
export function writeErrorResponse(
  res: UwsResponse,
  errorResponse: ErrorResponse,
  { isHead, close }: { readonly isHead: boolean; readonly close: boolean },
): void {
  res.writeStatus(statusText(errorResponse.status))
  const headers = errorHeadersOf(errorResponse)
  for (let i = 0; i < headers.length; i += 2) res.writeHeader(headers[i] as string, headers[i + 1] as string)
  if (!isHead) {
    res.end(errorResponse.text, close)
    return
  }
  res.writeHeader('content-length', String(Buffer.byteLength(errorResponse.text)))
  if (close) {
    res.writeHeader('connection', 'close')
    // As in `UwsExchange`: nothing more is read, and the client or uWS's timeout closes the connection.
    res.pause()
  }
  res.endWithoutBody()
}

/**
 * Writes an error response except for its end, while the client is still sending its body. `end` is called after
 * `lingerMs`. The caller calls the returned function at the end of the body, which calls `end` in the next iteration of
 * the event loop.
 */
export function writeErrorResponseSlowly(res: UwsResponse, errorResponse: ErrorResponse, end: () => void): () => void {
  res.cork(() => {
    res.writeStatus(statusText(errorResponse.status))
    res.writeHeader('content-type', 'text/plain; charset=utf-8').writeHeader('connection', 'close')
    res.write(errorResponse.text)
  })
  setTimeout(end, lingerMs).unref()
  return () => void setImmediate(end)
}

/** Ends a response of `writeErrorResponseSlowly`. Nothing more is read from its connection. */
export function endSlowErrorResponse(res: UwsResponse): void {
  res.cork(() => {
    res.pause()
    res.end()
  })
}
