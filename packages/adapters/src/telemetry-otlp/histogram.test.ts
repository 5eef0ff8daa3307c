import { expect, it } from 'vitest'
import { CounterSeries, SeriesTable } from './histogram.ts'

const makeTable = () => new SeriesTable((attributes) => new CounterSeries(attributes))

it('equal labels share a series, and a label is not confused with a text that looks like it', () => {
  const table = makeTable()
  const count = (...labels: (string | number)[]) => {
    table.of(labels, () => ({ labels: JSON.stringify(labels) })).value += 1
  }
  count('/a', 200)
  count('/a', 200)
  count('/a', '200')
  count('/a')
  expect(table.list().map(({ attributes, value }) => [attributes['labels'], value])).toEqual([
    ['["/a",200]', 2],
    ['["/a","200"]', 1],
    ['["/a"]', 1],
  ])
})

it('has at most 2,000 series, and counts further ones together', () => {
  const table = makeTable()
  for (let i = 0; i < 2100; i++) table.of(['route', i], () => ({ i })).value += 1
  const series = table.list()
  expect(series).toHaveLength(2001)
  expect(series.at(-1)).toMatchObject({ attributes: { 'otel.metric.overflow': true }, value: 100 })
})
