/** The last exported trace of each bucket of a histogram. prom-client keeps them for registries of OpenMetrics only. */

export interface Exemplar {
  readonly traceId: string
  readonly value: number
  /** Seconds since 1970. */
  readonly at: number
}

export class Exemplars {
  private readonly byBucket = new Map<string, Exemplar>()
  private readonly bounds: readonly number[]

  /** `bounds`: upper bounds of the buckets, ascending. */
  constructor(bounds: readonly number[]) {
    this.bounds = bounds
  }

  note(histogram: string, api: string, exemplar: Exemplar): void {
    const bound = this.bounds.find((one) => exemplar.value <= one)
    this.byBucket.set(keyOf(`${histogram}_bucket`, bound ?? '+Inf', api), exemplar)
  }

  /** `line`: name of a line of the text format, which ends in `_bucket` for buckets. */
  of(line: string, { le, api }: Readonly<Record<string, string | number>>): Exemplar | undefined {
    return le === undefined ? undefined : this.byBucket.get(keyOf(line, le, String(api)))
  }
}

function keyOf(line: string, bound: string | number, api: string): string {
  return `${line} ${bound} ${api}`
}
