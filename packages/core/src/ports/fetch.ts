import type { CallTracer } from './call-span.ts'

/** Calls servers that are not upstreams, such as token issuers. Proxied requests use `Upstream` instead. */
export interface Fetch {
  /**
   * Reads a document over http or https; follows a few redirects. Rejects when the server does not respond within the
   * adapter's timeout, or when the document exceeds the adapter's size limit.
   */
  get(url: string, options?: FetchOptions): Promise<FetchResponse>
  /** Sends a form (`application/x-www-form-urlencoded`). As `get`, but redirects are not followed. */
  postForm(url: string, form: string, options?: FetchOptions): Promise<FetchResponse>
}

export interface FetchOptions {
  /** Do not check the server's certificate. Default: false. */
  readonly insecure?: boolean
  /** Value of the header `Authorization`. Default: none. */
  readonly authorization?: string
  /** Time limit in ms for the complete document, redirects included. Default: the adapter's. */
  readonly timeoutMs?: number
  /** The span of the request that needs the document. Default: the call has no span. */
  readonly caller?: CallTracer | undefined
}

export interface FetchResponse {
  readonly status: number
  readonly body: Uint8Array
}
