import type { RequestRecord } from '@turnpike/core/pipeline'
import { describe, expect, it } from 'vitest'
import { makeColours, wantsColour } from './colours.ts'
import { requestLine } from './request-line.ts'

const entry: RequestRecord = {
  ...{ apiId: 'orders', apiName: 'Orders', orgId: 'acme', method: 'GET', path: '/1', host: 'h', clientAddress: '::1' },
  ...{ userAgent: '', status: 200, keyLogName: '', version: '', startedAt: Date.UTC(2026, 0, 1, 9, 8, 7), totalMs: 12 },
  ...{ upstreamMs: 11, upstreamAddress: 'u', rejection: undefined },
}
const lineOf = (change: Partial<RequestRecord>, colour = false) =>
  requestLine({ ...entry, ...change }, '/orders/', makeColours(colour))

describe('the line of a request', () => {
  it.each<[Partial<RequestRecord>, string]>([
    [{}, '09:08:07 200 GET /orders/1  Orders  12 ms'],
    [{ apiName: '' }, '09:08:07 200 GET /orders/1  orders  12 ms'],
    [{ cache: 'hit', totalMs: 0 }, '09:08:07 200 GET /orders/1  Orders  0 ms  cache hit'],
    [{ cache: 'miss' }, '09:08:07 200 GET /orders/1  Orders  12 ms'],
    [
      {
        status: 429,
        keyLogName: '0123456789abcdef',
        rejection: { stage: 'key-limits', code: 'x', message: 'Rate Limit Exceeded' },
      },
      '09:08:07 429 GET /orders/1  Orders  12 ms  key 0123456789ab  rejected by key-limits: Rate Limit Exceeded',
    ],
    [{ path: '/\u001b[31mx', apiName: 'a\nb' }, '09:08:07 200 GET /orders/?[31mx  a?b  12 ms'],
  ])('%j', (change, line) => {
    expect(lineOf(change)).toBe(line)
  })

  it('has the colour of its status', () => {
    expect(lineOf({}, true)).toContain('\u001b[32m200')
    expect(lineOf({ status: 429 }, true)).toContain('\u001b[33m429')
    expect(lineOf({ status: 500 }, true)).toContain('\u001b[31m500')
  })
})

describe('colours', () => {
  it.each([
    [true, {}, true],
    [true, { NO_COLOR: '' }, true],
    [true, { NO_COLOR: '1' }, false],
    [true, { TERM: 'dumb' }, false],
    [false, {}, false],
  ])('on a terminal (%s) with %j: %s', (isTerminal, environment, expected) => {
    expect(wantsColour(isTerminal, environment)).toBe(expected)
  })
})
