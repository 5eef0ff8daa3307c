/** The soak on virtual time finds what it looks for. `npm run soak` runs ten hours of it, soak.test.ts a short one. */
import type { Store } from '@turnpike/core/ports'
import { describe, expect, it } from 'vitest'
import { growthRows } from '../report/series.ts'
import { soakPage, soakPicture } from '../report/soak-page.ts'
import { soakVirtually } from './virtual-soak.ts'

const missedOf = async (options: Partial<Parameters<typeof soakVirtually>[0]>) => {
  const { rows } = await soakVirtually({ hours: 0.1, log: () => undefined, ...options })
  // Memory says little in a test runner, which does not collect garbage on request.
  return rows.filter(({ name, verdict }) => verdict === 'missed' && !/heap|maps/.test(name)).map(({ name }) => name)
}

describe('the soak on virtual time', { timeout: 240_000 }, () => {
  it('finds nothing in the gateway', async () => {
    expect(await missedOf({})).toEqual([])
  })

  it('finds timers that are never cancelled', async () => {
    const found = await missedOf({ onSecond: (clock) => void clock.after(86_400_000, () => undefined) })
    expect(found).toEqual(['growth of timers'])
  })

  it('finds a rate and a quota that admit too much', async () => {
    const around = (store: Store): Store => ({
      ...store,
      counters: {
        ...store.counters,
        async consume(counter, amount) {
          const { rate, quota } = await store.counters.consume(counter, amount)
          return { rate: rate && { ...rate, allowed: true }, quota: quota && { ...quota, allowed: true } }
        },
      },
    })
    expect(await missedOf({ around })).toEqual([
      'virtual time: wrong responses, rate',
      'virtual time: wrong responses, quota',
    ])
  })

  it('finds a request without a response', async () => {
    const around = (store: Store): Store => ({
      ...store,
      counters: { ...store.counters, consume: () => new Promise(() => undefined) },
    })
    expect(await missedOf({ around })).toContain('virtual time: wrong responses, stalled')
  })
})

const series = (value: (i: number) => number) =>
  Array.from({ length: 30 }, (_, i) => ({ at: i, values: { heap: value(i) } }))
const budget = [{ name: 'heap', unit: ' MiB', most: 3 }]

describe('growth', () => {
  it.each([
    ['the same value', (i: number) => 20 + (i % 2), 'kept'],
    ['growth in the warm-up only', (i: number) => Math.min(i, 5) * 10, 'kept'],
    ['growth to the end', (i: number) => 20 + i, 'missed'],
  ])('of %s', (_, value, verdict) => {
    expect(growthRows(series(value), 6, budget)[0]?.verdict).toBe(verdict)
  })

  it('that was not measured counts as missed', () => {
    expect(growthRows([], 0, budget)[0]).toMatchObject({ measured: 'not measured', verdict: 'missed' })
  })

  it('is drawn on a page without scripts', () => {
    const rows = growthRows(
      series((i) => i),
      6,
      budget,
    )
    const record = { title: 'Virtual <time>', duration: '1 h', samples: series((i) => i), events: [], rows }
    const page = soakPage([record], 'a machine')
    expect(page).toContain('<span class="bad">1 check failed</span>')
    expect(page).toContain('<polyline points="64.0,118.0')
    expect(page).toContain('Virtual &lt;time&gt;')
    expect(page).not.toMatch(/<script|src=|href=/)
    // A chart of its own below the heading of each series.
    expect(soakPicture(record)).toMatch(/class="title">[^<]+<\/text>\n<svg viewBox="0 0 900 150" y="30" height="150"/)
    expect(soakPicture(record)).toContain('<polyline points="64.0,118.0')
  })
})
