/**
 * Property 15. A batch is compared with a gateway that receives its items one by one. A sequential batch must have the
 * same effects. For a parallel batch, some order of the items must have the same effects. Paths that lead out of the API
 * are compared with their remaining path inside it. Source: docs/reference/batch.md#batch-requests.
 */

import { type BatchCase, type BatchItem, batchCases, showBatchCase } from '../arbitraries/batch-cases.ts'
import { batchShapes } from '../arbitraries/case-shapes.ts'
import { makeProperty } from './property.ts'
import type { BatchSubject, BatchUnderTest } from './subjects/batch-subject.ts'

export const batchProperty = makeProperty<BatchSubject, BatchCase>({
  number: 15,
  isExpensive: true,
  name: 'items of a batch',
  statement:
    'A sequential batch has the same effects as its items sent one by one, a parallel batch the same as some order of them; the batch call itself consumes no limit; no item reaches the upstream of another API.',
  cases: batchCases,
  requestsOf: ({ items }) => items.length + 1,
  show: showBatchCase,
  shapes: batchShapes,
  async check(subject, { items, inOrder }) {
    const underTest = await subject.make()
    const replies = await underTest.batch(items, inOrder)
    const stray = underTest.upstreamRequests().find((line) => !line.startsWith(`${subject.upstream} `))
    if (stray !== undefined) return `an item reached ${stray}`
    const actual = await effectsOf(underTest, replies.map(showReply), inOrder)
    const orders = inOrder ? [items] : permutations(items)
    let first: string | undefined
    for (const order of orders) {
      const expected = await sendOneByOne(await subject.make(), order, inOrder)
      if (expected === actual) return undefined
      first ??= expected
    }
    return `the effects of the batch are\n${actual}\n  but its items, sent one by one, have\n${first}`
  },
})

async function sendOneByOne(underTest: BatchUnderTest, items: readonly BatchItem[], inOrder: boolean): Promise<string> {
  const replies: string[] = []
  for (const item of items) {
    const { status, body, isRedirect } = await underTest.single(item)
    const leftApi = { relativeUrl: '', status: 0, body: '' }
    replies.push(showReply(isRedirect ? leftApi : { relativeUrl: item.relativeUrl, status, body }))
  }
  return effectsOf(underTest, replies, inOrder)
}

/** Returns all observable effects as text. The effects of parallel items are sorted. */
async function effectsOf(underTest: BatchUnderTest, replies: readonly string[], inOrder: boolean): Promise<string> {
  const sorted = (lines: readonly string[]) => (inOrder ? lines : lines.toSorted())
  const counters = Object.entries(await underTest.counters()).map(([name, value]) => `${name}: ${value}`)
  return [...sorted(replies), ...sorted(underTest.upstreamRequests()), ...counters]
    .map((line) => `    ${line}`)
    .join('\n')
}

function showReply({ relativeUrl, status, body }: { relativeUrl: string; status: number; body: string }): string {
  return `${relativeUrl} → ${status} ${JSON.stringify(body)}`
}

/** Generates all orders, the given one first. */
function* permutations<T>(items: readonly T[]): Generator<readonly T[]> {
  if (items.length < 2) {
    yield items
    return
  }
  for (const [i, first] of items.entries()) {
    for (const rest of permutations(items.toSpliced(i, 1))) yield [first, ...rest]
  }
}
