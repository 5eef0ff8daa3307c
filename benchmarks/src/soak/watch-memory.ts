/** Samples a process's resident memory while something runs. */
const sampleMs = 50
const mebi = 2 ** 20

/** Returns the result of `work` and the largest growth of resident memory during it, in MiB. */
export async function growthDuring<T>(
  residentBytes: () => number,
  work: () => Promise<T>,
): Promise<{ result: T; growthMiB: number }> {
  const before = residentBytes()
  let most = before
  const look = () => {
    most = Math.max(most, residentBytes())
  }
  const timer = setInterval(look, sampleMs)
  try {
    const result = await work()
    look()
    return { result, growthMiB: (most - before) / mebi }
  } finally {
    clearInterval(timer)
  }
}
