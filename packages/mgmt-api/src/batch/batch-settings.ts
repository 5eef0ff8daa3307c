/** What the configuration decides for batches (`batch`). */
export interface BatchSettings {
  /** Maximum number of requests of one batch, including those of nested batches; above 0. */
  readonly maxItems: number
  /** Maximum number of requests of one batch in progress at a time; above 0. */
  readonly maxConcurrency: number
  /** Maximum length of the call's body in bytes; 0: only the limits on all bodies apply. */
  readonly maxBodyBytes: number
  /** Maximum total length of the bodies of all responses in bytes; above 0. Items in progress may exceed it. */
  readonly maxResponseBytes: number
}

export const defaultBatchSettings: BatchSettings = {
  maxItems: 1000,
  maxConcurrency: 64,
  maxBodyBytes: 4 * 1024 * 1024,
  maxResponseBytes: 16 * 1024 * 1024,
}
