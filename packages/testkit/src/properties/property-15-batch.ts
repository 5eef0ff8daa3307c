/**
 * Property 15. A batch is compared with its items sent one by one to a gateway of their own. In order, everything must be
 * the same; at once, some order of sending them must explain it. Paths that lead out of the API mean, sent alone, what
 * is left of them inside it.
 */
import { type BatchAsk, type BatchCase, batchCases, showBatchCase } from '../arbitraries/batch-cases.ts'
import type { BatchSubject, BatchUnderTest } from './batch-subject.ts'
import { makeProperty } from './property.ts'

export const batchProperty = makeProperty<BatchSubject, BatchCase>({
  number: 15,
  name: 'batch',
  statement:
    'A batch in order gives what its items give one by one, a batch at once what some order of them gives; the call itself counts nothing; no item reaches the upstream of another API.',
  cases: batchCases,
  requestsOf: ({ asks }) => asks.length + 1,
  show: showBatchCase,
  async check(subject, { asks, inOrder }) {
    const underTest = await subject.make()
    const replies = await underTest.batch(asks, inOrder)
    const stray = underTest.asked().find((line) => !line.startsWith(`${subject.upstream} `))
    if (stray !== undefined) return `an item reached ${stray}`
    const seen = await traceOf(underTest, replies.map(showReply), inOrder)
    const orders = inOrder ? [asks] : permutations(asks)
    let first: string | undefined
    for (const order of orders) {
      const wanted = await sendOneByOne(await subject.make(), order, inOrder)
      if (wanted === seen) return undefined
      first ??= wanted
    }
    return `the batch gave\n${seen}\n  where its items, one by one, give\n${first}`
  },
})

async function sendOneByOne(underTest: BatchUnderTest, asks: readonly BatchAsk[], inOrder: boolean): Promise<string> {
  const replies: string[] = []
  for (const ask of asks) {
    const { status, body, isRedirect } = await underTest.single(ask)
    const left = { relativeUrl: '', status: 0, body: '' }
    replies.push(showReply(isRedirect ? left : { relativeUrl: ask.relativeUrl, status, body }))
  }
  return traceOf(underTest, replies, inOrder)
}

/** Everything that can be seen of a gateway, as text; what came at once in the order of the alphabet. */
async function traceOf(underTest: BatchUnderTest, replies: readonly string[], inOrder: boolean): Promise<string> {
  const sorted = (lines: readonly string[]) => (inOrder ? lines : lines.toSorted())
  const counters = Object.entries(await underTest.counters()).map(([name, value]) => `${name}: ${value}`)
  return [...sorted(replies), ...sorted(underTest.asked()), ...counters].map((line) => `    ${line}`).join('\n')
}

function showReply({ relativeUrl, status, body }: { relativeUrl: string; status: number; body: string }): string {
  return `${relativeUrl} → ${status} ${JSON.stringify(body)}`
}

/** All orders, the given one first. */
function* permutations<T>(items: readonly T[]): Generator<readonly T[]> {
  if (items.length < 2) {
    yield items
    return
  }
  for (const [i, first] of items.entries()) {
    for (const rest of permutations(items.toSpliced(i, 1))) yield [first, ...rest]
  }
}
