import { test } from '@fast-check/vitest'
import { utf8Bytes } from '@turnpike/core/lib'
import fc from 'fast-check'
import { expect } from 'vitest'
import { parseBatchCall } from './batch-call.ts'

const value = fc.oneof({ weight: 6, arbitrary: fc.string() }, fc.constantFrom<unknown>(null, 1, true, [], {}))
const headerNames = fc.constantFrom('a', 'A', 'X-One', 'Content-Type', '__proto__', 'constructor', 'host')
const headers = fc.oneof(fc.dictionary(headerNames, value, { maxKeys: 4 }), value)
const item = fc.record(
  {
    method: fc.oneof({ weight: 4, arbitrary: fc.constantFrom('GET', 'POST', '', 'CONNECT', 'a b') }, value),
    relative_url: fc.oneof(fc.constantFrom('plain', 'a/b?c=d', '../x', '%', '%2e'), value),
    headers,
    body: value,
    Body: fc.string(),
  },
  { requiredKeys: [] },
)
const call = fc.record(
  {
    requests: fc.oneof({ weight: 6, arbitrary: fc.array(fc.oneof({ weight: 6, arbitrary: item }, value)) }, value),
    suppress_parallel_execution: fc.oneof({ weight: 4, arbitrary: fc.boolean() }, value),
  },
  { requiredKeys: [] },
)

test.prop([call, fc.boolean()])('a call means the same however its fields are written', (written, keepEmpty) => {
  const read = (json: unknown) => parseBatchCall(utf8Bytes(JSON.stringify(json)), { maxItems: 50 }, keepEmpty)
  // An unknown field is ignored.
  expect(read(written)).toEqual(read({ ...written, nobodyKnows: 1 }))
})
