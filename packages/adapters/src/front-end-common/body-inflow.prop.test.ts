import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { BodyInflow } from './body-inflow.ts'

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

function play(plan: readonly Step[], takes: readonly boolean[], ending: 'finish' | 'breakOff') {
  const calls: string[] = []
  let held = false
  const inflow = new BodyInflow({
    hold() {
      held = true
    },
    release() {
      held = false
    },
  })
  const got: number[] = []
  const sent: number[] = []
  let piped = false
  let heldBack = 0
  const pipe = () => {
    if (piped) return
    piped = true
    inflow.pipe({
      data(chunk) {
        got.push(...chunk)
        calls.push('data')
        return takes[got.length % takes.length] ?? true
      },
      end: () => void calls.push('end'),
      fail: () => void calls.push('fail'),
    })
  }
  for (const step of plan) {
    if (step.kind === 'pipe') pipe()
    else if (step.kind === 'pause') inflow.pause()
    else if (step.kind === 'resume') inflow.resume()
    else if (!('size' in step)) continue
    else if (!held) {
      const chunk = Uint8Array.from({ length: Math.ceil(step.size / 1_000) }, () => sent.length % 251)
      sent.push(...chunk)
      inflow.push(chunk)
    } else heldBack++
  }
  if (ending === 'finish') inflow.finish()
  else inflow.breakOff(new Error('broke'))
  pipe()
  for (let i = 0; i < 200; i++) inflow.resume()
  return { calls, got, sent, heldBack, inflow }
}

describe('a request’s body on its way in', () => {
  test.prop([steps, fc.array(fc.boolean(), { minLength: 1, maxLength: 5 })])(
    'comes whole, in order and once, however its reader pauses',
    (plan, takes) => {
      const { calls, got, sent } = play(plan, takes, 'finish')
      expect(got).toEqual(sent)
      expect(calls.filter((call) => call !== 'data')).toEqual(['end'])
      expect(calls.at(-1)).toBe('end')
    },
  )

  test.prop([steps, fc.array(fc.boolean(), { minLength: 1, maxLength: 5 })])(
    'that breaks off fails once and last, and gives nothing that did not come',
    (plan, takes) => {
      const { calls, got, sent } = play(plan, takes, 'breakOff')
      expect(sent.slice(0, got.length)).toEqual(got)
      expect(calls.filter((call) => call !== 'data')).toEqual(['fail'])
      expect(calls.at(-1)).toBe('fail')
    },
  )

  it('asks the connection to hold back while nobody reads', () => {
    const held: boolean[] = []
    const inflow = new BodyInflow({ hold: () => void held.push(true), release: () => void held.push(false) })
    for (let i = 0; i < 4; i++) inflow.push(new Uint8Array(32_768))
    expect(held).toEqual([true])
    inflow.pipe({ data: () => true, end() {}, fail() {} })
    expect(held).toEqual([true, false])
  })

  it('that is cancelled is read on and thrown away, without a word to its reader', () => {
    const calls: string[] = []
    const held: boolean[] = []
    const inflow = new BodyInflow({ hold: () => void held.push(true), release: () => void held.push(false) })
    inflow.pipe({
      data() {
        calls.push('data')
        return false
      },
      end: () => void calls.push('end'),
      fail: () => void calls.push('fail'),
    })
    inflow.push(new Uint8Array(10))
    inflow.cancel()
    inflow.push(new Uint8Array(10))
    inflow.finish()
    expect(calls).toEqual(['data'])
    expect(held).toEqual([true, false])
  })

  it('may be cancelled from within its own delivery', () => {
    const inflow = new BodyInflow({ hold() {}, release() {} })
    inflow.push(new Uint8Array(1))
    inflow.push(new Uint8Array(1))
    let chunks = 0
    inflow.pipe({
      data() {
        chunks++
        inflow.cancel()
        return true
      },
      end: () => expect.unreachable(),
      fail: () => expect.unreachable(),
    })
    inflow.finish()
    expect(chunks).toBe(1)
  })
})
