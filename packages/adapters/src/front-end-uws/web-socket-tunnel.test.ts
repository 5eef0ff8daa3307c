import type { ByteSink, ByteStream } from '@turnpike/core/http'
import { silentLog } from '@turnpike/core/ports'
import { describe, expect, it } from 'vitest'
import { makeTunnelBudget } from '../front-end-common/tunnel-budget.ts'
import type { UwsWebSocket } from './uws-binding.ts'
import { WebSocketTunnel } from './web-socket-tunnel.ts'

/** A tunnel to an upstream that accepts one chunk and then no more. */
function openTunnel(budget = makeTunnelBudget()) {
  const closes: (number | undefined)[] = []
  const received: Uint8Array[] = []
  const incoming: ByteStream = { pipe() {}, pause() {}, resume() {}, cancel() {} }
  let stream: ByteStream | undefined
  const sink: ByteSink = {
    data(chunk) {
      received.push(chunk)
      return false
    },
    end() {},
    fail() {},
  }
  const tunnel = {
    incoming,
    sendFrom(from: ByteStream) {
      stream = from
      from.pipe(sink)
    },
  }
  const socket = { end: (code?: number) => void closes.push(code), close() {} } as unknown as UwsWebSocket
  const made = new WebSocketTunnel(tunnel, silentLog, budget, () => undefined)
  made.opened(socket)
  const send = (bytes: number) => made.message(new ArrayBuffer(bytes), true)
  return { send, closes, received, drain: () => stream?.resume() }
}

describe('messages that the upstream does not accept', () => {
  it('are limited in bytes: the WebSocket closes with code 1013', () => {
    const { send, closes } = openTunnel()
    for (let i = 0; i < 17; i++) send(64 * 1024 - 300)
    expect(closes).toEqual([])
    send(64 * 1024)
    expect(closes).toEqual([1013])
  })

  it('are limited in number, because an empty message takes memory too', () => {
    const { send, closes } = openTunnel()
    for (let i = 0; i < 3000; i++) send(0)
    expect(closes).toEqual([])
    for (let i = 0; i < 2000; i++) send(0)
    expect(closes).toEqual([1013])
  })

  it('may be one longer message', () => {
    const { send, closes } = openTunnel()
    send(1)
    send(4 * 1024 * 1024)
    expect(closes).toEqual([])
  })

  it('share one budget, which a closed connection releases', () => {
    const budget = makeTunnelBudget(1000, 1500)
    const first = openTunnel(budget)
    const second = openTunnel(budget)
    for (const { send } of [first, second]) {
      send(1)
      send(600)
    }
    expect([first.closes, second.closes]).toEqual([[], [1013]])
    first.drain()
    const third = openTunnel(budget)
    third.send(1)
    third.send(600)
    expect(third.closes).toEqual([])
  })

  it('are sent in order when the upstream accepts more', () => {
    const { send, closes, received, drain } = openTunnel()
    for (let i = 0; i < 40; i++) send(i)
    for (let i = 0; i < 40; i++) drain()
    expect(closes).toEqual([])
    expect(received.map((frame) => frame.length - 6)).toEqual(Array.from({ length: 40 }, (_, i) => i))
  })
})
