import { expect, it } from 'vitest'
import { fakeScope } from '../../../test/support/pipeline/fake-scope.ts'
import type { GatewaySettings } from '../../ports/settings.ts'
import type { Upstream, UpstreamOptions } from '../../ports/upstream.ts'
import { shareTarget } from './shared-targets.ts'

function upstreamThatTells() {
  const open: { origin: string; options: UpstreamOptions }[] = []
  const upstream: Upstream = {
    connect(origin, options) {
      const link = { origin, options }
      open.push(link)
      return {
        send: () => Promise.reject(new Error('nobody is to be asked')),
        release() {
          open.splice(open.indexOf(link), 1)
        },
      }
    },
    async close() {},
  }
  return { upstream, open }
}

function scopeOf(upstream: Upstream, proxy: object = {}) {
  const settings = { upstream: { insecure: false } } as Partial<GatewaySettings>
  return fakeScope({ proxy: { listen_path: '/a/', ...proxy } }, {}, {}, { settings, tools: { upstream } })
}

it('APIs that go to one URL in one way share a target, whose link is released with the last share', () => {
  const { upstream, open } = upstreamThatTells()
  const first = shareTarget('http://up.test/base/', scopeOf(upstream))
  const second = shareTarget('http://up.test/base/', scopeOf(upstream))
  expect(second?.target).toBe(first?.target)
  first?.release()
  first?.release()
  expect(open).toHaveLength(1)
  second?.release()
  expect(open).toEqual([])
  const anew = shareTarget('http://up.test/base/', scopeOf(upstream))
  expect(anew?.target).not.toBe(first?.target)
  expect(open).toHaveLength(1)
})

it('what differs in its URL, its root path or its way is another target', () => {
  const { upstream, open } = upstreamThatTells()
  const other = upstreamThatTells()
  const targets = [
    shareTarget('http://up.test/base/', scopeOf(upstream)),
    shareTarget('http://up.test/other/', scopeOf(upstream)),
    shareTarget('http://up.test/base/', scopeOf(upstream, { disable_strip_slash: true })),
    shareTarget('http://up.test/base/', scopeOf(upstream, { transport: { ssl_insecure_skip_verify: true } })),
    shareTarget('http://up.test/base/', scopeOf(upstream, { transport: { proxy_url: 'http://proxy.test' } })),
    shareTarget('http://up.test/base/', scopeOf(other.upstream)),
  ].map((shared) => shared?.target)
  expect(new Set(targets).size).toBe(6)
  expect(open).toHaveLength(5)
  expect(shareTarget('ftp://up.test/', scopeOf(upstream))).toBeUndefined()
})
