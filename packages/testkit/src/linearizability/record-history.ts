/** Records the operations of concurrent clients with real times. */
import type { Operation } from './operation.ts'

export interface HistoryRecorder<Input, Output> {
  /** The operations until now, by start. Those that still run have an unknown result. */
  readonly operations: readonly Operation<Input, Output>[]
  /**
   * Performs an operation and records it. `perform` resolves with `undefined`, or rejects, if the result is unknown:
   * timeouts, closed connections, and errors after which the operation may still take effect.
   */
  record(
    client: string,
    key: string,
    input: Input,
    perform: () => Promise<Output | undefined>,
  ): Promise<Output | undefined>
}

/** Makes an empty history. `now` returns milliseconds. Default: `process.hrtime`, which all processes of a machine share. */
export function makeHistoryRecorder<Input, Output>(now: () => number = monotonicMs): HistoryRecorder<Input, Output> {
  const operations: Operation<Input, Output>[] = []
  return {
    operations,
    async record(client, key, input, perform) {
      const index = operations.push({ client, key, input, startedAt: now() }) - 1
      const output = await perform().catch(() => undefined)
      const endedAt = now()
      if (output !== undefined)
        operations[index] = { ...(operations[index] as Operation<Input, Output>), endedAt, output }
      return output
    },
  }
}

const monotonicMs = () => Number(process.hrtime.bigint()) / 1e6
