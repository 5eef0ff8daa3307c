/** One HTTP call to a gateway under test. */
import http from 'node:http'
import type { Call } from './recorded-suite.ts'

export interface CallResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** The management key of every suite. */
export const suiteSecret = '352d20ee67be67f6340b4c0605b044b7'

/** Sends the call. Resolves with status 0 and the error message as text if there is no response within 20 s. */
export function send(port: number, call: Call, vendor: string): Promise<CallResponse> {
  const headers: Record<string, string | number> = { ...call.headers }
  if (call.admin) headers[`X-${vendor.charAt(0).toUpperCase()}${vendor.slice(1)}-Authorization`] = suiteSecret
  const body = call.body === undefined || typeof call.body === 'string' ? call.body : JSON.stringify(call.body)
  if (body !== undefined) {
    if (!Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')) {
      headers['Content-Type'] = 'application/json'
    }
    headers['Content-Length'] = Buffer.byteLength(body)
  }
  const options = { host: '127.0.0.1', port, method: call.method ?? 'GET', path: call.path, headers, timeout: 20_000 }
  return new Promise((resolve) => {
    const request = http.request(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', (error) => resolve(noResponse(error)))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({ status: response.statusCode ?? 0, headers: flat(response.headers), text })
      })
    })
    request.on('timeout', () => request.destroy(new Error('no response in 20 s')))
    request.on('error', (error) => resolve(noResponse(error)))
    request.end(body)
  })
}

const noResponse = (error: Error): CallResponse => ({ status: 0, headers: {}, text: error.message })

function flat(headers: http.IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )
}
