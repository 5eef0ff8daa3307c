import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { RequestBodyStream } from './request-body-stream.ts'

type Step = { readonly kind: 'push'; readonly size: number } | { readonly kind: 'pause' | 'resume' | 'pipe' }

const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('push' as const), size: fc.integer({ min: 0, max: 40_000 }) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constantFrom('pause' as const, 'resume' as const, 'pipe' as const) }),
    },
  ),
  { maxLength: 60 },
)

function run(plan: readonly Step[], accepts: readonly boolean[], ending: 'finish' | 'abort') {
  const calls: string[] = []
  let paused = false
  const body = new RequestBodyStream({
    pauseReading() {
      paused = true
    },
    resumeReading() {
      paused = false
    },
  })
  const got: number[] = []
  const sent: number[] = []
  let piped = false
  let skippedPushes = 0
  const pipe = () => {
    if (piped) return
    piped = true
    body.pipe({
      data(chunk) {
        got.push(...chunk)
        calls.push('data')
        return accepts[got.length % accepts.length] ?? true
      },
      end: () => void calls.push('end'),
      fail: () => void calls.push('fail'),
    })
  }
  for (const step of plan) {
    if (step.kind === 'pipe') pipe()
    else if (step.kind === 'pause') body.pause()
    else if (step.kind === 'resume') body.resume()
    else if (!('size' in step)) continue
    else if (!paused) {
      const chunk = Uint8Array.from({ length: Math.ceil(step.size / 1_000) }, () => sent.length % 251)
      sent.push(...chunk)
      body.push(chunk)
    } else skippedPushes++
  }
  if (ending === 'finish') body.finish()
  else body.abort(new Error('aborted'))
  pipe()
  for (let i = 0; i < 200; i++) body.resume()
  return { calls, got, sent, skippedPushes, body }
}

describe('RequestBodyStream', () => {
  test.prop([steps, fc.array(fc.boolean(), { minLength: 1, maxLength: 5 })])(
    'delivers every byte once and in order, with any sequence of pauses',
    (plan, accepts) => {
      const { calls, got, sent } = run(plan, accepts, 'finish')
      expect(got).toEqual(sent)
      expect(calls.filter((call) => call !== 'data')).toEqual(['end'])
      expect(calls.at(-1)).toBe('end')
    },
  )

  test.prop([steps, fc.array(fc.boolean(), { minLength: 1, maxLength: 5 })])(
    'calls fail once and last if it is aborted, and delivers only bytes that were pushed',
    (plan, accepts) => {
      const { calls, got, sent } = run(plan, accepts, 'abort')
      expect(sent.slice(0, got.length)).toEqual(got)
      expect(calls.filter((call) => call !== 'data')).toEqual(['fail'])
      expect(calls.at(-1)).toBe('fail')
    },
  )

  it('pauses the connection while no reader is attached and the buffer is full', () => {
    const paused: boolean[] = []
    const body = new RequestBodyStream({
      pauseReading: () => void paused.push(true),
      resumeReading: () => void paused.push(false),
    })
    for (let i = 0; i < 4; i++) body.push(new Uint8Array(32_768))
    expect(paused).toEqual([true])
    body.pipe({ data: () => true, end() {}, fail() {} })
    expect(paused).toEqual([true, false])
  })

  it('discards the rest after cancel, without calling the reader', () => {
    const calls: string[] = []
    const paused: boolean[] = []
    const body = new RequestBodyStream({
      pauseReading: () => void paused.push(true),
      resumeReading: () => void paused.push(false),
    })
    body.pipe({
      data() {
        calls.push('data')
        return false
      },
      end: () => void calls.push('end'),
      fail: () => void calls.push('fail'),
    })
    body.push(new Uint8Array(10))
    body.cancel()
    body.push(new Uint8Array(10))
    body.finish()
    expect(calls).toEqual(['data'])
    expect(paused).toEqual([true, false])
  })

  it('can be cancelled by the reader during delivery', () => {
    const body = new RequestBodyStream({ pauseReading() {}, resumeReading() {} })
    body.push(new Uint8Array(1))
    body.push(new Uint8Array(1))
    let chunks = 0
    body.pipe({
      data() {
        chunks++
        body.cancel()
        return true
      },
      end: () => expect.unreachable(),
      fail: () => expect.unreachable(),
    })
    body.finish()
    expect(chunks).toBe(1)
  })
})
