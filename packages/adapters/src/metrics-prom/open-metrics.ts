/**
 * Metrics in the OpenMetrics text format, which has exemplars. prom-client can write it as well, but then renames the
 * counters of a registry for good, so that one registry could not serve both formats.
 */
import type { Registry } from 'prom-client'
import type { Exemplar, Exemplars } from './exemplars.ts'

export const openMetricsType = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

type Metric = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number]

interface Value {
  readonly value: number
  readonly labels: Readonly<Record<string, string | number>>
  readonly metricName?: string
}

/** Returns true if `Accept` names the format. Without a quality of 0, Prometheus prefers it. */
export function acceptsOpenMetrics(accept: string): boolean {
  return accept
    .toLowerCase()
    .split(',')
    .some(
      (range) => range.trim().startsWith('application/openmetrics-text') && !/;\s*q=0(?:\.0*)?\s*(?:;|$)/.test(range),
    )
}

export async function toOpenMetrics(
  registry: Pick<Registry, 'getMetricsAsJSON'>,
  exemplars: Exemplars,
): Promise<string> {
  const metrics = await registry.getMetricsAsJSON()
  return `${metrics.map((metric) => textOf(metric, exemplars)).join('')}# EOF\n`
}

function textOf(metric: Metric, exemplars: Exemplars): string {
  const isCounter = String(metric.type) === 'counter'
  const family = isCounter ? metric.name.replace(/_total$/, '') : metric.name
  const values = (metric as { values?: readonly Value[] }).values ?? []
  const lines = values.map((value) => {
    const name = isCounter ? `${family}_total` : (value.metricName ?? family)
    return lineOf(name, value, exemplars.of(name, value.labels))
  })
  return [`# TYPE ${family} ${String(metric.type)}`, `# HELP ${family} ${escaped(metric.help)}`, ...lines, ''].join(
    '\n',
  )
}

function lineOf(name: string, { value, labels }: Value, exemplar: Exemplar | undefined): string {
  const line = `${name}${labelsOf(labels)} ${numberOf(value)}`
  if (exemplar === undefined) return line
  return `${line} # ${labelsOf({ trace_id: exemplar.traceId })} ${numberOf(exemplar.value)} ${exemplar.at}`
}

function labelsOf(labels: Readonly<Record<string, string | number>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(String(value))}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')
}

function numberOf(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  return value === Number.POSITIVE_INFINITY ? '+Inf' : value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value)
}
