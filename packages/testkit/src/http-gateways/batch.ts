/** The batch endpoint: sends several requests of one key and returns their responses in order. */
import { type ApiResponse, jsonResponse } from './api-response.ts'
import type { Fault } from './seeded-bugs.ts'

/** How an item of a batch is sent. A request outside of a batch is both counted and checked. */
export interface HowSent {
  /** Whether the request counts against the limits. */
  readonly isCounted: boolean
  /** Whether a path of another API is rejected. */
  readonly isChecked: boolean
}

interface BatchItem {
  readonly relative_url: string
}

/**
 * Responds to a batch. `text` is JSON: `{"requests": [{"method": "GET", "relative_url": "/a"}]}`. The response is a list
 * of `{relative_url, code, headers, body}`.
 */
export async function respondToBatch(
  text: string,
  fault: Fault['batch'],
  send: (path: string, how: HowSent) => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const items = parseItems(text)
  if (items === undefined) return jsonResponse(400, { error: 'the body is not {"requests": [{"relative_url": "/x"}]}' })
  const isCounted = fault !== 'counted-once' && fault !== 'not-counted'
  const how = { isCounted, isChecked: fault !== 'leaves-its-api' }
  if (fault === 'counted-once') {
    const whole = await send('/', { isCounted: true, isChecked: true })
    if (whole.status !== 200) return whole
  }
  const responses = []
  for (const { relative_url } of items) {
    const { status: code, headers, body } = await send(`/${relative_url.replace(/^\/+/, '')}`, how)
    responses.push({ relative_url, code, headers, body })
  }
  return jsonResponse(200, responses)
}

/** Returns the items of a batch, or `undefined` if the text is not a batch. */
function parseItems(text: string): readonly BatchItem[] | undefined {
  let parsed: { requests?: unknown } | null
  try {
    parsed = JSON.parse(text)
  } catch {
    return undefined
  }
  const items = parsed?.requests
  if (!Array.isArray(items)) return undefined
  return items.every((item) => typeof item?.relative_url === 'string') ? items : undefined
}
