import { expect, it } from 'vitest'
import { makeTestGateway } from '../../test/test-gateway.ts'

it.each([
  ['', '3\\.0'],
  ['?oasVersion=', '3\\.0'],
  ['?oasVersion=3.0.7', '3\\.0'],
  ['?oasVersion=3.1', '3\\.1'],
])('GET /svc/schema%s is the schema of one line of versions, with the extension', async (query, line) => {
  const gateway = await makeTestGateway()
  const { status, json } = await gateway.call('GET', `/svc/schema${query}`)
  const { properties } = (json as { schema: { properties: Record<string, { pattern?: string }> } }).schema
  expect([status, properties['openapi']?.pattern]).toEqual([200, expect.stringContaining(line)])
  expect(properties).toHaveProperty(['x-svc-api-gateway'])
})

it.each([
  ['2.0.3', 'Schema not found for version "2.0.3"'],
  ['abc', 'malformed version: abc'],
])('version %s is 404', async (version, message) => {
  const gateway = await makeTestGateway()
  const { status, json } = await gateway.call('GET', `/svc/schema?oasVersion=${version}`)
  expect([status, json]).toEqual([404, { status: 'Failed', message }])
})
