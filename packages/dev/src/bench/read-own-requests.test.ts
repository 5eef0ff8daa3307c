import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRequests } from './read-own-requests.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-bench-requests-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function read(content: string) {
  const file = join(folder, 'requests.yaml')
  writeFileSync(file, content)
  return readRequests(file)
}

describe('a file of requests', () => {
  it('gives each with its method, headers and body', () => {
    expect(
      read(`requests:
  - { api: orders, url: /orders/1, headers: { Authorization: k } }
  - { api: orders, method: post, url: /orders, body: '{}' }
`),
    ).toEqual({
      requests: [
        { api: 'orders', request: { method: 'GET', url: '/orders/1', headers: { Authorization: 'k' } } },
        { api: 'orders', request: { method: 'POST', url: '/orders', headers: {}, body: '{}' } },
      ],
    })
  })

  it.each([
    ['requests: []', 'holds no requests'],
    ['requests: [{ url: /a }]', 'requests[0] needs an api and a url that begins with a slash'],
    ['requests: [{ api: a, url: a }]', 'requests[0] needs an api and a url that begins with a slash'],
    ['requests: [{ api: 7, url: /a }]', expect.stringContaining('requests[0].api')],
    ['requests: [', expect.stringContaining('line 1')],
    ['- a', expect.any(String)],
    ['', expect.any(String)],
  ])('that says %j is rejected in words', (content, problem) => {
    expect(read(content)).toEqual({ problem })
  })
})
