import { expect, it } from 'vitest'
import { makeMockResponse } from './mock-response.ts'

it.each([
  ['<html><body>x</body></html>', ['content-type', 'text/html; charset=utf-8']],
  [' \n<!doctype html>', ['content-type', 'text/html; charset=utf-8']],
  ['<p>x</p>', ['content-type', 'text/html; charset=utf-8']],
  ['<?xml version="1.0"?><r/>', ['content-type', 'text/xml; charset=utf-8']],
  ['<pets/>', ['content-type', 'text/plain; charset=utf-8']],
  ['{"a":1}', ['content-type', 'text/plain; charset=utf-8']],
  ['', []],
])('%j without a content type', (body, headers) => {
  expect(makeMockResponse({ code: 200, body, headers: {} })()).toEqual({ status: 200, headers, body })
})

it('a content type of the definition stays', () => {
  const { headers } = makeMockResponse({ code: 200, body: '<html>', headers: { 'Content-Type': 'text/x' } })()
  expect(headers).toEqual(['content-type', 'text/x'])
})
