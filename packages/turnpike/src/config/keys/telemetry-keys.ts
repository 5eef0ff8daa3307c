/** Keys of traces and metrics that are sent to an OpenTelemetry collector. Source: docs/reference/opentelemetry.md. */
import { boolean, described, integer, map, number, object, oneOf, text, withDefault } from '@turnpike/core/lib'

export const telemetryKeys = {
  opentelemetry: object({
    enabled: described('Sends traces to an OpenTelemetry collector.', boolean),
    exporter: described('Protocol to the collector; only "http" is supported.', oneOf(['http', 'grpc'], 'http')),
    endpoint: described(
      'URL of the collector, or its host and port; the path of the signal is appended.',
      withDefault(text, 'http://localhost:4318'),
    ),
    headers: described('Headers of requests to the collector, by name.', map(text)),
    connectionTimeout: described(
      'Seconds for the connection to the collector, and for its response.',
      withDefault(integer, 1),
    ),
    resourceName: described('Name of the service in traces and metrics.', withDefault(text, 'turnpike')),
    spanProcessorType: described(
      '"simple" sends each span when it ends; for tests.',
      oneOf(['batch', 'simple'], 'batch'),
    ),
    contextPropagation: described(
      'Headers that carry the trace from clients and to upstreams.',
      oneOf(['tracecontext', 'b3'], 'tracecontext'),
    ),
    tls: object({
      enable: described('Uses https for an endpoint without a scheme.', boolean),
      insecureSkipVerify: described('Does not verify the certificate of the collector.', boolean),
      caFile: described('PEM file of the authorities that the certificate of the collector must have.', text),
      certFile: described('PEM file of the client certificate for the collector.', text),
      keyFile: described('PEM file of the key of the client certificate.', text),
      minVersion: described('Lowest version of TLS.', withDefault(text, '1.2')),
      maxVersion: described('Highest version of TLS.', withDefault(text, '1.3')),
    }),
    sampling: object({
      type: described('Which traces are sent.', oneOf(['AlwaysOn', 'AlwaysOff', 'TraceIDRatioBased'], 'AlwaysOn')),
      rate: described('Share of the traces, from 0 to 1, for TraceIDRatioBased.', withDefault(number, 0.5)),
      parentBased: described('Traces that a client began keep the decision of the client.', boolean),
    }),
    metrics: object({
      enabled: described('Sends metrics as well.', boolean),
      exportInterval: described('Seconds between two exports of metrics.', withDefault(integer, 60)),
    }),
  }),
}
