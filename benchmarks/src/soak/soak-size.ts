/** How much a soak asks for: all of it, or as much as fits into a test run. */
export interface SoakSize {
  /** Bytes of each of the large bodies. */
  readonly bodyBytes: number
  /** Upstreams killed in mid-answer, and clients gone in mid-request. */
  readonly cuts: number
  /** Readers that stop at once. */
  readonly stoppedReaders: number
  /** Resident memory that they may cost together, in MiB. */
  readonly readersBudgetMiB: number
  /** Uploads cut in the middle. */
  readonly cutUploads: number
  /** Milliseconds that the event loop may stand still; test machines have other work. */
  readonly stallBudgetMs: number
}

const mebi = 2 ** 20

export const fullSize: SoakSize = {
  bodyBytes: 1024 * mebi,
  cuts: 10_000,
  stoppedReaders: 200,
  readersBudgetMiB: 96,
  cutUploads: 2_000,
  stallBudgetMs: 1_000,
}

export const smallSize: SoakSize = {
  bodyBytes: 96 * mebi,
  cuts: 500,
  stoppedReaders: 50,
  readersBudgetMiB: 128,
  cutUploads: 200,
  stallBudgetMs: 5_000,
}

/** Resident memory that a large body may cost, in MiB. */
export const growthBudgetMiB = 64
/** Heap and buffers that may be left after a collection, in MiB: caches that fill once, not what each request leaves. */
export const leftoverBudgetMiB = 5
