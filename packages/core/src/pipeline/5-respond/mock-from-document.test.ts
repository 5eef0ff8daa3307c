import { expect, it } from 'vitest'
import { documentOf, makeDocumentEngine } from '../../../test/support/document-engine.ts'
import { requestOf } from '../../../test/support/test-engine.ts'
import type { Json } from '../../lib/json.ts'

/** The response of a mock from the examples of these responses. */
async function mock(responses: Json, fromOASExamples: Json = {}, accept?: string) {
  const paths = { '/a': { get: { operationId: 'a', responses } } }
  const mockResponse = { enabled: true, fromOASExamples: { enabled: true, ...fromOASExamples } }
  const test = await makeDocumentEngine(documentOf({ paths }, { middleware: { operations: { a: { mockResponse } } } }))
  const asked = accept === undefined ? {} : { accept }
  const { status, headers: sent, body } = await test.engine.handle(requestOf('GET', '/d/a', asked))
  return { status, body, type: sent[sent.indexOf('content-type') + 1] }
}
const page = { 200: { description: 'ok', content: { 'text/html': { example: 'x' } } } }

it('a response without content is its status and headers', async () => {
  expect(await mock({ 204: { description: 'gone' } }, { code: 204 })).toMatchObject({ status: 204, body: '' })
  expect(await mock({ 204: { description: 'gone' } }, { code: 204 }, 'text/html')).toMatchObject({ status: 204 })
})

it.each([[undefined], ['*/*'], ['text/html'], ['image/png, */*;q=0.1']])(
  'the only type of a response is sent if Accept is %s',
  async (accept) => {
    expect(await mock(page, {}, accept)).toMatchObject({ status: 200, type: 'text/html' })
  },
)

it('a type that the client or the definition names must exist', async () => {
  expect(await mock(page, {}, 'image/png')).toMatchObject({ status: 500 })
  expect(await mock(page, { contentType: 'text/csv' }, '*/*')).toMatchObject({ status: 500 })
})

it.each([
  ['application/xml;q=0.5,application/json', 'application/json'],
  ['application/json;q=0, application/xml', 'application/xml'],
  ['application/json;q=0.1, application/xml; q=0.9', 'application/xml'],
  ['application/xml, application/json', 'application/xml'],
  ['application/xml;q=0.5, */*;q=0.7', 'application/json'],
])('the type with the highest weight is sent: %s', async (accept, type) => {
  const content = { 'application/json': { example: 1 }, 'application/xml': { example: 1 } }
  expect(await mock({ 200: { description: 'ok', content } }, {}, accept)).toMatchObject({ status: 200, type })
})
