/** Part of the front end suite: sends the malformed and unusual messages of `malformed-cases.ts`. */
import { describe, expect } from 'vitest'
import { hostOf } from './fixture-handler.ts'
import { expectAlive, type FrontEndUnderTest, requestBytes, type Served, wireTest } from './front-end-under-test.ts'
import { type WireCase, wireCases } from './malformed-cases.ts'
import type { RawOptions, RawOutcome } from './raw-exchange.ts'
import { hasResponse } from './wire-responses.ts'

/** Longer messages are not sent byte by byte, because that takes seconds. */
const maxSegments = 2_000

export function malformedPart(under: FrontEndUnderTest): void {
  const it = wireTest(under)
  const follower = requestBytes('GET /follower')

  describe('a malformed or unusual message', () => {
    for (const wireCase of wireCases) {
      // The connection preface of HTTP/2 is malformed only for servers without HTTP/2.
      if (under.traits.http2 === true && wireCase.name === 'HTTP/2 without TLS') continue
      it(wireCase.name, ({ served }) => expectReaction(wireCase, served, {}))
      if (!under.traits.joinsRequestLines || wireCase.bytes.length > maxSegments) continue
      it(`byte by byte: ${wireCase.name}`, ({ served }) => expectReaction(wireCase, served, { byteByByte: true }))
    }

    const rejected = wireCases.filter((wireCase) => wireCase.handled === 'never' || wireCase.handled === 'broken')
    it.for(rejected.map((wireCase) => [wireCase.name, wireCase] as const))(
      'bytes after it are never treated as a request: %s',
      async ([_name, wireCase], { served }) => {
        await served.exchange(wireCase.bytes + follower, { waitMs: 60 })
        await served.exchange(wireCase.bytes, { waitMs: 60, later: [{ afterMs: 20, bytes: follower }] })
        expect(served.seen.map(({ request }) => request.path)).not.toContain('/follower')
        expect(served.seen.map(({ body }) => body).filter((body) => body !== undefined)).toEqual([])
        await expectAlive(served)
      },
    )
  })
}

async function expectReaction(wireCase: WireCase, served: Served, how: RawOptions): Promise<void> {
  const outcome = await served.exchange(wireCase.bytes, {
    until: (text) => hasExpectedResponse(text, wireCase),
    waitMs: typeof wireCase.handled === 'object' && !wireCase.mayReject ? 5_000 : 250,
    graceMs: 3_000,
    ...how,
  })
  expectAllowed(wireCase, outcome)
  expectHandled(wireCase, served, outcome)
  await expectAlive(served)
}

function hasExpectedResponse(text: string, { handled }: WireCase): boolean {
  return typeof handled === 'object' && hasResponse(text)
}

function expectAllowed({ status, handled, mayReject }: WireCase, { text, closed }: RawOutcome): void {
  if (text === '') {
    expect(typeof handled !== 'object' || mayReject === true).toBe(true)
    return
  }
  const responses = text.startsWith('HTTP/') ? [Number(text.slice(9, 12))] : []
  for (const response of responses) expect(status).toContain(response)
  // RFC 9110 section 15.5.6.
  if (responses.includes(405)) expect(text).toMatch(/^allow: /im)
  if (typeof handled !== 'object') expect(closed).toBe(true)
}

function expectHandled({ handled, mayReject }: WireCase, served: Served, { text }: RawOutcome): void {
  if (handled === 'never') {
    expect(served.seen.map(({ request }) => request.path)).toEqual([])
    return
  }
  if (handled === 'broken') {
    expect(served.seen.length).toBeLessThanOrEqual(1)
    expect(served.seen[0]?.body).toBeUndefined()
    return
  }
  if (mayReject && !text.startsWith('HTTP/1.1 200')) {
    expect(served.seen.map(({ request }) => request.path)).toEqual([])
    return
  }
  expect(served.seen).toHaveLength(1)
  const [entry] = served.seen
  if (handled.body !== undefined) expect(entry?.body).toBe(handled.body)
  if (handled.path !== undefined) expect(entry?.request.path).toBe(handled.path)
  if (handled.query !== undefined) expect(entry?.request.query).toBe(handled.query)
  if (handled.host !== undefined) expect(hostOf(entry)).toBe(handled.host)
}
