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

type Label = string | number | boolean

/** Either the series for the labels so far, or the branches by the next label. */
interface Branch<Series> {
  series: Series | undefined
  readonly next: Map<Label, Branch<Series>>
}

/** Series of one metric by the labels that identify their attributes. */
export class SeriesTable<Series> {
  private readonly root: Branch<Series> = { series: undefined, next: new Map() }
  private readonly all: Series[] = []
  private readonly make: (attributes: Attributes) => Series

  constructor(make: (attributes: Attributes) => Series) {
    this.make = make
  }

  /**
   * A tree, because a text of all labels would have to be built for each value. `attributesOf` is called for new series
   * only.
   */
  of(labels: readonly Label[], attributesOf: () => Attributes): Series {
    let branch: Branch<Series> | undefined = this.root
    for (const label of labels) {
      branch = branch.next.get(label)
      if (branch === undefined) return this.add(labels, attributesOf)
    }
    return branch.series ?? this.add(labels, attributesOf)
  }

  list(): readonly Series[] {
    return this.all
  }

  private add(labels: readonly Label[], attributesOf: () => Attributes): Series {
    if (this.all.length >= maxSeries && labels.length > 0) return this.of([], () => overflow)
    const made = this.make(attributesOf())
    this.all.push(made)
    let branch = this.root
    for (const label of labels) {
      const known = branch.next.get(label)
      const next = known ?? { series: undefined, next: new Map() }
      if (known === undefined) branch.next.set(label, next)
      branch = next
    }
    branch.series = made
    return made
  }
}
