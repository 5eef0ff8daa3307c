/** Batches in process by size, parallel and in order, compared with the same items as single requests. */
import { makeInjectedRequest } from '@turnpike/core/engine'
import { spreadOf } from '../measure/statistics.ts'
import { type Row, rowOf } from '../report/table.ts'
import { definition } from '../subjects/definition.ts'
import { makeBenchEngine, requestFor } from './bench-engine.ts'

const sizes = [1, 10, 50]
const itemsOfSample = 2000

export async function measureBatchSizes(rounds: number): Promise<Row[]> {
  const { engine } = await makeBenchEngine([
    definition('a0', 'http://unused.test', { enable_batch_request_support: true }),
  ])
  const singles = async () => {
    const request = requestFor('/a0/x')
    for (let i = 0; i < itemsOfSample; i++) await engine.handle(request)
  }
  const batches = (size: number, inOrder: boolean) => async () => {
    const item = { method: 'GET', headers: {}, relative_url: 'x' }
    const body = JSON.stringify({ requests: Array(size).fill(item), suppress_parallel_execution: inOrder })
    for (let done = 0; done < itemsOfSample; done += size) {
      const answer = await engine.handle(makeInjectedRequest({ method: 'POST', url: '/a0/svc/batch/', body }))
      if (answer.status !== 200) throw new Error(`the batch was answered ${answer.status}`)
    }
  }
  const contestants = [
    { name: 'single requests', run: singles },
    ...sizes.flatMap((size) => [
      { name: `batch of ${size}, at once`, run: batches(size, false) },
      { name: `batch of ${size}, in order`, run: batches(size, true) },
    ]),
  ]
  const micros = contestants.map(() => [] as number[])
  for (let round = -2; round < rounds; round++) {
    const turn = [...contestants.entries()]
    for (const [i, { run }] of round % 2 === 0 ? turn : turn.reverse()) {
      const startedAt = performance.now()
      await run()
      // The first two rounds are warm-up.
      if (round >= 0) micros[i]?.push(((performance.now() - startedAt) * 1000) / itemsOfSample)
    }
  }
  const single = spreadOf(micros[0] ?? []).median
  return contestants.map(({ name }, i) => {
    const spread = spreadOf(micros[i] ?? [])
    return rowOf(
      `  in process: ${name}, an item`,
      spread,
      ' µs',
      undefined,
      `${(spread.median / single).toFixed(2)} × a single`,
    )
  })
}
