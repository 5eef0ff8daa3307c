import type { ByteSink, ByteStream } from '@turnpike/core/http'
import { describe, expect, it } from 'vitest'
import { budgeted, makeTunnelBudget, type TunnelBudget } from './tunnel-budget.ts'

/** A stream into a sink that accepts nothing. */
function openStuck(budget: TunnelBudget) {
  const seen: string[] = []
  let source: ByteSink | undefined
  const stream = budgeted(
    {
      pipe: (sink) => {
        source = sink
      },
      pause() {},
      resume: () => void seen.push('resume'),
      cancel: () => void seen.push('cancel'),
    } satisfies ByteStream,
    budget,
  )
  stream.pipe({ data: () => false, end: () => void seen.push('end'), fail: () => void seen.push('fail') })
  return { seen, stream, send: (bytes: number) => source?.data(new Uint8Array(bytes)), end: () => source?.end() }
}

describe('bytes that a peer does not accept', () => {
  it('close a connection that exceeds its own bound', () => {
    const { seen, send } = openStuck(makeTunnelBudget(100, 1000))
    send(100)
    expect(seen).toEqual([])
    send(1)
    expect(seen).toEqual(['cancel', 'fail'])
  })

  it('close the connection that exceeds the bound of all', () => {
    const budget = makeTunnelBudget(100, 150)
    const [first, second] = [openStuck(budget), openStuck(budget)]
    first.send(100)
    second.send(51)
    expect([first.seen, second.seen]).toEqual([[], ['cancel', 'fail']])
  })

  it('no longer count when the peer accepts them, and when the connection ends', () => {
    const budget = makeTunnelBudget(100, 100)
    const ways: readonly ((one: ReturnType<typeof openStuck>) => void)[] = [
      (one) => one.stream.resume(),
      (one) => one.stream.cancel(),
      (one) => one.end(),
    ]
    for (const release of ways) {
      const one = openStuck(budget)
      one.send(100)
      release(one)
      expect(one.seen).not.toContain('fail')
    }
    const last = openStuck(budget)
    last.send(100)
    expect(last.seen).toEqual([])
  })
})
