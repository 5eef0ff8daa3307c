// The page of all metrics, from the metrics that the adapter registers.
import { code, generatedNote, page, sentence, table } from './markdown.mjs'

const head = `# Metrics of the gateway

${generatedNote}

[Metrics](../../metrics.md) describes how to switch them on, the values of the labels and the format. Metrics of the process and of Node (\`process_*\`, \`nodejs_*\`) are served too.`

/** `makeMetrics` registers the metrics in a registry of the class `Registry`. */
export function metricsPage(makeMetrics, Registry) {
  const rows = registeredBy(makeMetrics, Registry).map((metric) => [
    code(metric.name),
    metric.constructor.name.toLowerCase(),
    metric.labelNames.map(code).join(', '),
    sentence(metric.help),
  ])
  return page(
    head,
    table(
      ['Metric', 'Type', 'Labels', 'Meaning'],
      rows.toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ),
  )
}

/** The objects of prom-client; its registries do not return them with their labels. */
function registeredBy(makeMetrics, Registry) {
  const original = Registry.prototype.registerMetric
  const metrics = []
  Registry.prototype.registerMetric = function (metric) {
    metrics.push(metric)
    return original.call(this, metric)
  }
  try {
    makeMetrics()
  } finally {
    Registry.prototype.registerMetric = original
  }
  return metrics
}
