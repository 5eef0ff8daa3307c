/** A response of a gateway of this folder, before it is written. */
export interface ApiResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A response with a JSON body. */
export function jsonResponse(status: number, body: unknown, headers: Record<string, string> = {}): ApiResponse {
  return { status, headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
}
