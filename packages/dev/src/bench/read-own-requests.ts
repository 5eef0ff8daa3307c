/** Reads the user's own requests from a YAML or JSON file; they replace the generated ones. */
import { readFileSync } from 'node:fs'
import { list, map, object, printJsonPath, readShape, text } from '@turnpike/core/lib'
import { parse as parseYaml } from 'yaml'
import type { SampleRequest } from './sample-requests.ts'

const requestsShape = object({
  requests: list(object({ api: text, method: text, url: text, headers: map(text), body: text })),
})

export interface OwnRequest {
  /** ID or name of the API. */
  readonly api: string
  readonly request: SampleRequest
}

/** `file` contains `requests:`, a list of objects with `api`, `url` and optionally `method`, `headers` and `body`. */
export function readRequests(
  file: string,
): { readonly requests: readonly OwnRequest[] } | { readonly problem: string } {
  let data: unknown
  try {
    data = parseYaml(readFileSync(file, 'utf8'))
  } catch (cause) {
    return { problem: cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause) }
  }
  const { value, problems } = readShape(requestsShape, data)
  const [wrong] = problems
  if (wrong !== undefined) return { problem: `${printJsonPath(wrong.path)} ${wrong.message}` }
  const requests: OwnRequest[] = []
  for (const [i, { api, method, url, headers, body }] of (value.requests ?? []).entries()) {
    if (api === '' || !url.startsWith('/')) {
      return { problem: `requests[${i}] needs an api and a url that begins with a slash` }
    }
    const request = { method: method === '' ? 'GET' : method.toUpperCase(), url, headers: headers ?? {} }
    requests.push({ api, request: body === '' ? request : { ...request, body } })
  }
  return requests.length === 0 ? { problem: 'holds no requests' } : { requests }
}
