/** Counters and histograms by attributes, with a bounded number of series. Values are cumulative since the start. */
import type { Attributes } from './span-data.ts'

/** The span that a value belongs to, if the span is exported. */
export interface SampledSpan {
  readonly traceId: string
  readonly spanId: string
}

export interface Exemplar extends SampledSpan {
  readonly value: number
  /** Microseconds since 1970. */
  readonly at: number
}

/** Bounds in seconds that the semantic conventions of HTTP recommend. */
export const durationBounds: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
]

/** Series of one metric; further ones are counted together, as the metrics SDK of OpenTelemetry does. */
const maxSeries = 2000

const overflow: Attributes = { 'otel.metric.overflow': true }

export class HistogramSeries {
  readonly attributes: Attributes
  readonly counts: number[] = new Array<number>(durationBounds.length + 1).fill(0)
  count = 0
  sum = 0
  exemplar: Exemplar | undefined = undefined

  constructor(attributes: Attributes) {
    this.attributes = attributes
  }

  record(value: number): void {
    let at = 0
    while (at < durationBounds.length && value > (durationBounds[at] as number)) at++
    this.counts[at] = (this.counts[at] as number) + 1
    this.count += 1
    this.sum += value
  }
}

export class CounterSeries {
  readonly attributes: Attributes
  value = 0

  constructor(attributes: Attributes) {
    this.attributes = attributes
  }
}

/** Series of one metric by a text that identifies their attributes. */
export class SeriesTable<Series> {
  private readonly byName = new Map<string, Series>()
  private readonly make: (attributes: Attributes) => Series

  constructor(make: (attributes: Attributes) => Series) {
    this.make = make
  }

  /** `attributesOf` is called for new series only. */
  of(name: string, attributesOf: () => Attributes): Series {
    const known = this.byName.get(name)
    if (known !== undefined) return known
    if (this.byName.size >= maxSeries) return this.of('', () => overflow)
    const made = this.make(attributesOf())
    this.byName.set(name, made)
    return made
  }

  list(): readonly Series[] {
    return [...this.byName.values()]
  }
}
