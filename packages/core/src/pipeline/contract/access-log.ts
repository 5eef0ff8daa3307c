/** Fields by their names in the log. */
export type AccessLogFields = Readonly<Record<string, string | number>>

export interface AccessLogLine {
  readonly fields: AccessLogFields
  /** The upstream could not be reached. A template then keeps none of the fields that it does not name. */
  readonly isUpstreamFailure: boolean
}

/** Receives one line per request that an API proxied, answered from the cache or rejected. */
export interface AccessLog {
  write(line: AccessLogLine): void
}
