/** Keys of traces and metrics that are sent to an OpenTelemetry collector. Source: docs/reference/opentelemetry.md. */
import { boolean, field, integer, map, number, object, oneOf, text, withDefault } from '@turnpike/core'

export const telemetryKeys = {
  opentelemetry: object({
    enabled: field(boolean, { description: 'Sends traces to an OpenTelemetry collector.' }),
    exporter: field(oneOf(['http', 'grpc'], 'http'), {
      description: 'Protocol to the collector; only "http" is supported.',
    }),
    endpoint: field(withDefault(text, 'http://localhost:4318'), {
      description: 'URL of the collector, or its host and port; the path of the signal is appended.',
    }),
    headers: field(map(text), { description: 'Headers of requests to the collector, by name.' }),
    connectionTimeout: field(withDefault(integer, 1), {
      description: 'Seconds for the connection to the collector, and for its response.',
    }),
    resourceName: field(withDefault(text, 'turnpike'), { description: 'Name of the service in traces and metrics.' }),
    spanProcessorType: field(oneOf(['batch', 'simple'], 'batch'), {
      description: '"simple" sends each span when it ends; for tests.',
    }),
    contextPropagation: field(oneOf(['tracecontext', 'b3'], 'tracecontext'), {
      description: 'Headers that carry the trace from clients and to upstreams.',
    }),
    tls: object({
      enable: field(boolean, { description: 'Uses https for an endpoint without a scheme.' }),
      insecureSkipVerify: field(boolean, { description: 'Does not verify the certificate of the collector.' }),
      caFile: text,
      certFile: text,
      keyFile: text,
      minVersion: withDefault(text, '1.2'),
      maxVersion: withDefault(text, '1.3'),
    }),
    sampling: object({
      type: field(oneOf(['AlwaysOn', 'AlwaysOff', 'TraceIDRatioBased'], 'AlwaysOn'), {
        description: 'Which traces are sent.',
      }),
      rate: field(withDefault(number, 0.5), {
        description: 'Share of the traces, from 0 to 1, for TraceIDRatioBased.',
      }),
      parentBased: field(boolean, { description: 'Traces that a client began keep the decision of the client.' }),
    }),
    metrics: object({
      enabled: field(boolean, { description: 'Sends metrics as well.' }),
      exportInterval: field(withDefault(integer, 60), { description: 'Seconds between two exports of metrics.' }),
    }),
  }),
}
