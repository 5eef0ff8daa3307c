/** One GET on a connection of its own. Certificates are not checked, because the servers are those of this run. */
import { get as getPlain } from 'node:http'
import { get as getTls } from 'node:https'

export interface Got {
  readonly status: number
  readonly text: string
}

export function get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    const read = (response: import('node:http').IncomingMessage) => {
      let text = ''
      response.setEncoding('latin1')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      response.on('error', reject)
    }
    const request = url.startsWith('https:')
      ? getTls(url, { agent: false, headers, rejectUnauthorized: false }, read)
      : getPlain(url, { agent: false, headers }, read)
    request.on('error', reject)
  })
}
