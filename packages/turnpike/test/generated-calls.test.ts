/** The documented operations of a running gateway under generated calls: no connection is dropped, nothing breaks. */
import {
  type AnyDocument,
  checkResponse,
  documentedFailures,
  documentedOperations,
  generatedCall,
} from '@turnpike/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeFolder, managementKey } from './support/folder.ts'
import { frontEnds } from './support/front-ends.ts'
import { startForTest } from './support/process.ts'

const runs = process.env.CI === undefined ? 200 : 1200

describe.each(frontEnds)('the management API of a running gateway (%s)', (frontEnd) => {
  it('responds to every generated call as documented', { timeout: 120_000, retry: 0 }, async () => {
    const folder = makeFolder({ front_end: frontEnd, docs: { enabled: true }, storage: { type: 'memory' } })
    const gateway = await startForTest(folder)
    const document = (await gateway.manage('GET', '/svc/docs/openapi.json')).body as AnyDocument
    const operations = documentedOperations(document)
    expect(operations.length).toBeGreaterThan(40)
    await fc.assert(
      fc.asyncProperty(generatedCall(operations, document, { names: ['a', 'p', 'k', 'org1'] }), async (call) => {
        const response = await fetch(gateway.url + call.target, {
          method: call.method,
          headers: { ...call.headers, 'x-svc-authorization': managementKey },
          ...(call.body === undefined ? {} : { body: call.body }),
        })
        const given = {
          status: response.status,
          contentType: response.headers.get('content-type') ?? '',
          body: await response.text(),
        }
        expect(checkResponse(call, given, document, documentedFailures)).toBeUndefined()
      }),
      { numRuns: runs, endOnFailure: true },
    )
    expect(gateway.isAlive()).toBe(true)
  })
})
