/** Histories of operations that several clients performed concurrently, and sequential models of the objects. */

/** One operation of one client on one object. */
export interface Operation<Input, Output> {
  /** The client or process that called. Only reports use it. */
  readonly client: string
  /** Name of the object. Operations on different keys are independent. */
  readonly key: string
  readonly input: Input
  /** When the client called, in milliseconds of one clock for the whole history. */
  readonly startedAt: number
  /**
   * When the client received the result. Absent: the result is unknown, for example after a timeout. Such an operation may
   * take effect at any time after `startedAt`, or never.
   */
  readonly endedAt?: number
  /** What the client received. Present exactly if `endedAt` is. */
  readonly output?: Output
}

/** How an object behaves if operations run one after the other. */
export interface SequentialModel<State, Input, Output> {
  readonly initial: State
  /**
   * Returns the states that the object may have after the operation, none if it cannot return this output in this state.
   * `output` is `undefined` if the result is unknown and the operation took effect.
   */
  apply(state: State, input: Input, output: Output | undefined): readonly State[]
  /**
   * Returns true if an operation with this output changes no state, such as a read. The search is then shorter. Default:
   * every operation may change the state.
   */
  isObserver?(input: Input, output: Output): boolean
}

/** Throws a TypeError that names the first operation which is not possible in any history. */
export function assertOperations(operations: readonly Operation<unknown, unknown>[]): void {
  for (const [index, { startedAt, endedAt, output }] of operations.entries()) {
    const problem = problemOf(startedAt, endedAt, output)
    if (problem !== undefined) throw new TypeError(`operation ${index} of the history: ${problem}`)
  }
}

function problemOf(startedAt: number, endedAt: number | undefined, output: unknown): string | undefined {
  if (!Number.isFinite(startedAt)) return `startedAt is ${startedAt}, expected a time in milliseconds`
  if ((endedAt === undefined) !== (output === undefined)) return 'give both endedAt and output, or none of them'
  if (endedAt === undefined) return undefined
  if (!Number.isFinite(endedAt)) return `endedAt is ${endedAt}; leave it out if the result is unknown`
  return endedAt < startedAt ? `it ended (${endedAt}) before it started (${startedAt})` : undefined
}
