/** The fields that a line can have (docs/reference/logs.md#access-log). */
export const accessLogFieldNames = [
  'api_id',
  'api_key',
  'api_name',
  'api_type',
  'circuit_breaker_state',
  'client_ip',
  'error_source',
  'error_target',
  'host',
  'key',
  'latency_gateway',
  'latency_total',
  'mcp_error_code',
  'mcp_method',
  'mcp_primitive_name',
  'mcp_primitive_type',
  'method',
  'mw',
  'org_id',
  'origin',
  'path',
  'protocol',
  'remote_addr',
  'response_code_details',
  'response_flag',
  'span_id',
  'status',
  'tls_cert_expiry',
  'tls_cert_subject',
  'trace_id',
  'type',
  'upstream_addr',
  'upstream_latency',
  'upstream_status',
  'user_agent',
] as const

/** Fields by their names in the log. */
export type AccessLogFields = Readonly<Partial<Record<(typeof accessLogFieldNames)[number], string | number>>>

export interface AccessLogLine {
  readonly fields: AccessLogFields
  /** The upstream could not be reached. A template then keeps none of the fields that it does not name. */
  readonly isUpstreamFailure: boolean
}

/** Receives one line per request that an API proxied, served from the cache or rejected. */
export interface AccessLog {
  write(line: AccessLogLine): void
}
