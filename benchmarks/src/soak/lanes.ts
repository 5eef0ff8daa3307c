/** Runs `work` for 0 … count-1 with bounded concurrency. */
export async function inLanes(count: number, lanes: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: Math.min(lanes, count) }, lane))
}
