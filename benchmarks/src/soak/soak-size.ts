/** Sizes of a soak: the full one, and a small one that fits into a test run. */
export interface SoakSize {
  /** Bytes per large body. */
  readonly bodyBytes: number
  /** Upstreams that fail during a response, and clients that disconnect during a request. */
  readonly cuts: number
  /** Number of concurrent clients that stop reading. */
  readonly stoppedReaders: number
  /** Largest growth of resident memory for all of them together, in MiB. */
  readonly readersBudgetMiB: number
  /** Number of uploads that are cut off. */
  readonly cutUploads: number
  /** Longest allowed stall of the event loop in milliseconds. Generous, because test machines are busy. */
  readonly stallBudgetMs: number
  /** Virtual hours of the whole gateway. */
  readonly hours: number
  /** Minutes of load with faults in real time, over all front ends. */
  readonly minutes: number
}

const mebi = 2 ** 20

export const fullSize: SoakSize = {
  bodyBytes: 1024 * mebi,
  cuts: 10_000,
  stoppedReaders: 200,
  readersBudgetMiB: 96,
  cutUploads: 2_000,
  stallBudgetMs: 1_000,
  hours: 10,
  minutes: 60,
}

export const smallSize: SoakSize = {
  bodyBytes: 96 * mebi,
  cuts: 500,
  stoppedReaders: 50,
  readersBudgetMiB: 128,
  cutUploads: 200,
  stallBudgetMs: 5_000,
  hours: 0.5,
  minutes: 1,
}

/** Largest growth of resident memory per large body, in MiB. */
export const growthBudgetMiB = 64
/** Largest growth of heap and buffers after a garbage collection, in MiB. Covers caches that fill once. */
export const leftoverBudgetMiB = 5
