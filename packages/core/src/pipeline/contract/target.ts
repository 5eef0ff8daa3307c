/** An upstream that requests can be sent to, with its connection pool. */
import type { UpstreamLink } from '../../ports/upstream.ts'

export interface Target {
  readonly link: UpstreamLink
  /** Scheme and authority. */
  readonly origin: string
  /** Value of the `Host` header. */
  readonly host: string
  /** Prefix of the path of requests, without a trailing slash. */
  readonly basePath: string
  /** Path of requests for the root of the API. */
  readonly rootPath: string
  /** The path of the target URL as written; `/` if it has none. */
  readonly ownPath: string
  /** Prefix of the query of requests; may be empty. */
  readonly query: string
}
