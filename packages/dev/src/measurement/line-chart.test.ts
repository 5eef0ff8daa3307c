import { describe, expect, it } from 'vitest'
import { batchLimitMs, efficiencyOf } from './batch-limit.ts'
import { chartFile, type LineChart, lineChart } from './line-chart.ts'

const chart: LineChart = {
  description: 'duration <by> items',
  x: { label: 'items', scale: 'log' },
  y: { label: 'ms', scale: 'linear' },
  lines: [
    {
      label: 'a & b',
      group: 0,
      points: [
        [1, 0],
        [10, 5],
        [100, 10],
      ],
    },
    {
      label: 'limit',
      group: 0,
      dashed: true,
      points: [
        [0, 3],
        [1, 0],
        [100, 10],
      ],
    },
  ],
}

describe('a line chart', () => {
  it('places points on a logarithmic and a linear axis', () => {
    // Plot area: x from 74 to 690, y from 332 (0) to 14 (10).
    expect(lineChart(chart)).toContain('d="M74.0 332.0 L382.0 173.0 L690.0 14.0"')
  })

  it('leaves out what a logarithmic axis cannot show, and draws calculated lines dashed', () => {
    expect(lineChart(chart)).toContain('<path class="line s0 dashed" d="M74.0 332.0 L690.0 14.0"/>')
  })

  it('escapes texts, and moves labels apart that end at one place', () => {
    const svg = lineChart(chart)
    expect(svg).toContain('aria-label="duration &lt;by&gt; items"')
    const labels = [...svg.matchAll(/<text x="726" y="([\d.]+)">([^<]+)</g)].map(([, y, text]) => [Number(y), text])
    expect(labels).toEqual([
      [22, 'a &amp; b'],
      [38, 'limit'],
    ])
  })

  it('is drawn without any point', () => {
    expect(lineChart({ ...chart, lines: [] })).toMatch(/^<svg .*<\/svg>$/s)
  })

  it('is a file of its own, light and dark', () => {
    expect(chartFile(chart)).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .*prefers-color-scheme: dark/s)
  })
})

describe('the theoretical limit of a batch', () => {
  const at = (items: number, concurrency: number) =>
    batchLimitMs({ items, latencyMs: 10, concurrency, overheadMs: 0.1 })

  it('is n × latency in order', () => {
    expect([at(1, 1), at(100, 1)]).toEqual([10, 1000])
  })

  it('is ceil(n ÷ concurrency) × latency and the work for each item at once', () => {
    expect([at(1, 64), at(64, 64), at(65, 64)].map((ms) => Math.round(ms * 10) / 10)).toEqual([10.1, 16.4, 26.5])
  })

  it('has an efficiency of 1 where it is reached', () => {
    expect([efficiencyOf(10, 10), efficiencyOf(10, 20), efficiencyOf(10, 0)]).toEqual([1, 0.5, 0])
  })
})
