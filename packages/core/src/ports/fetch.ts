/** Documents by URL: key sets of token issuers. Not for requests that pass through: those go by `Upstream`. */
export interface Fetch {
  /**
   * Reads a document over http or https; follows a few redirects. Rejects when it cannot be had in some seconds, or
   * when it is longer than a document of this kind may be.
   */
  get(url: string, options?: FetchOptions): Promise<FetchResponse>
}

export interface FetchOptions {
  /** Do not check the server's certificate. Default: false. */
  readonly insecure?: boolean
}

export interface FetchResponse {
  readonly status: number
  readonly body: Uint8Array
}
