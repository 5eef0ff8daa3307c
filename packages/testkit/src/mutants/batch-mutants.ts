/** Mutants of batch requests. */
import type { BatchItem } from '../arbitraries/batch-cases.ts'
import { batchProperty } from '../properties/property-15-batch.ts'
import {
  type BatchUnderTest,
  engineBatches,
  headersOfItem,
  type SendToGateway,
} from '../properties/subjects/batch-subject.ts'
import type { ManagementUnderTest } from '../properties/subjects/management-under-test.ts'
import { type Mutant, makeMutant } from './mutant.ts'

type MakeEndpoint = ManagementUnderTest['makeBatchEndpoint']
type MakeMutant = (makeEndpoint: MakeEndpoint) => Mutant

/** Makes a mutant that replaces the batch endpoint. */
function mutant(
  what: string,
  batch: (real: BatchUnderTest, send: SendToGateway) => BatchUnderTest['batch'],
): MakeMutant {
  return (makeEndpoint) => makeMutant(`batch: ${what}`, batchProperty, engineBatches(what, makeEndpoint, { batch }))
}

/** Makes a mutant that changes the items before they are sent. Sequential replies keep the original URLs. */
function withItems(what: string, change: (item: BatchItem, all: readonly BatchItem[]) => BatchItem): MakeMutant {
  return mutant(what, (real) => async (items, inOrder) => {
    const sent = items.map((item) => change(item, items))
    const replies = await real.batch(sent, inOrder)
    if (!inOrder) return replies
    return replies.map((reply, i) =>
      reply.relativeUrl === '' ? reply : { ...reply, relativeUrl: items[i]?.relativeUrl ?? '' },
    )
  })
}

/** Makes a mutant whose store does not count one request of each parallel batch. */
function lostCountInParallelBatch(makeEndpoint: MakeEndpoint): Mutant {
  const what = 'a parallel batch forgets to count one item'
  let skipsNext = false
  const subject = engineBatches(what, makeEndpoint, {
    store: (real) => ({
      ...real,
      counters: {
        ...real.counters,
        consume(counter, amount) {
          const isSkipped = skipsNext && counter.kind === 'key' && amount > 0
          if (isSkipped) skipsNext = false
          return real.counters.consume(counter, isSkipped ? 0 : amount)
        },
      },
    }),
    batch: (real) => async (items, inOrder) => {
      skipsNext = !inOrder
      const replies = await real.batch(items, inOrder)
      skipsNext = false
      return replies
    },
  })
  return makeMutant(`batch: ${what}`, batchProperty, subject)
}

const mutants: readonly MakeMutant[] = [
  lostCountInParallelBatch,
  mutant('the call itself is counted', (real) => async (items, inOrder) => {
    await real.single({ method: 'GET', relativeUrl: 'a', resolvedPath: 'a', key: 'red', body: '' })
    return real.batch(items, inOrder)
  }),
  mutant('dot segments lead to other APIs, as recorded', (real, send) => async (items, inOrder) => {
    if (!inOrder) return real.batch(items, inOrder)
    const replies = []
    for (const item of items) {
      const { pathname, search } = new URL(`/batch-api/${item.relativeUrl}`, 'http://gateway.test')
      const answer = await send(item.method, pathname.replace(/\/+/g, '/') + search, headersOfItem(item), item.body)
      replies.push({ relativeUrl: item.relativeUrl, status: answer.status, body: answer.text() })
    }
    return replies
  }),
  withItems('a leading slash costs method and body, as recorded', (item) =>
    item.relativeUrl.startsWith('/') ? { ...item, method: 'GET', body: '' } : item,
  ),
  withItems('items take the key of the first', (item, all) => ({ ...item, key: all[0]?.key })),
  withItems('bodies are taken for Latin-1', (item) => ({
    ...item,
    body: [...new TextEncoder().encode(item.body)].map((byte) => String.fromCharCode(byte)).join(''),
  })),
  withItems('the query is lost', (item) => ({ ...item, relativeUrl: item.relativeUrl.split('?', 1)[0] ?? '' })),
  mutant(
    'replies come in the wrong order',
    (real) => async (items, inOrder) => (await real.batch(items, inOrder)).toReversed(),
  ),
  mutant('what is refused ends the batch', (real) => async (items, inOrder) => {
    const replies = []
    for (const item of items) {
      const [reply] = await real.batch([item], inOrder)
      if (reply === undefined) break
      replies.push(reply)
      if (reply.status >= 400) break
    }
    return replies
  }),
  mutant('an item that fails is tried again', (real) => async (items, inOrder) => {
    const replies = await real.batch(items, inOrder)
    const again = items.filter((_, i) => (replies[i]?.status ?? 0) >= 500)
    if (again.length > 0) await real.batch(again, inOrder)
    return replies
  }),
  mutant('equal items are sent once', (real) => async (items, inOrder) => {
    const byUrl = new Map(items.map((item) => [`${item.method} ${item.relativeUrl} ${item.key}`, item]))
    const replies = await real.batch([...byUrl.values()], inOrder)
    const names = [...byUrl.keys()]
    return items.flatMap(
      ({ method, relativeUrl, key }) => replies[names.indexOf(`${method} ${relativeUrl} ${key}`)] ?? [],
    )
  }),
]

/** All mutants of batch requests, around a correct endpoint. */
export function batchMutants(makeEndpoint: MakeEndpoint): readonly Mutant[] {
  return mutants.map((make) => make(makeEndpoint))
}
