/** Faults planted into batches. */
import type { BatchAsk } from '../arbitraries/batch-cases.ts'
import { type BatchUnderTest, engineBatches, headersOfAsk, type SendToGateway } from '../properties/batch-subject.ts'
import { batchProperty } from '../properties/property-15-batch.ts'
import { type Mutant, makeMutant } from './mutant.ts'

/** The engine with another batch endpoint. */
function fault(what: string, batch: (real: BatchUnderTest, send: SendToGateway) => BatchUnderTest['batch']): Mutant {
  return makeMutant(`batch: ${what}`, batchProperty, engineBatches(what, { batch }))
}

/** The engine with its items changed before they are sent; replies keep the names that the caller knows. */
function changed(what: string, change: (ask: BatchAsk, all: readonly BatchAsk[]) => BatchAsk): Mutant {
  return fault(what, (real) => async (asks, inOrder) => {
    const sent = asks.map((ask) => change(ask, asks))
    const replies = await real.batch(sent, inOrder)
    if (!inOrder) return replies
    return replies.map((reply, i) =>
      reply.relativeUrl === '' ? reply : { ...reply, relativeUrl: asks[i]?.relativeUrl ?? '' },
    )
  })
}

/** The engine over a store that only reads the counter of one keyed item of each batch whose items run at once. */
function forgetsOneOfAParallelBatch(): Mutant {
  const what = 'a parallel batch forgets to count one item'
  let forgets = false
  const subject = engineBatches(what, {
    store: (real) => ({
      ...real,
      counters: {
        ...real.counters,
        consume(counter, amount) {
          const isForgotten = forgets && counter.kind === 'key' && amount > 0
          if (isForgotten) forgets = false
          return real.counters.consume(counter, isForgotten ? 0 : amount)
        },
      },
    }),
    batch: (real) => async (asks, inOrder) => {
      forgets = !inOrder
      const replies = await real.batch(asks, inOrder)
      forgets = false
      return replies
    },
  })
  return makeMutant(`batch: ${what}`, batchProperty, subject)
}

export const batchMutants: readonly Mutant[] = [
  forgetsOneOfAParallelBatch(),
  fault('the call itself is counted', (real) => async (asks, inOrder) => {
    await real.single({ method: 'GET', relativeUrl: 'a', meant: 'a', key: 'red', body: '' })
    return real.batch(asks, inOrder)
  }),
  fault('dot segments lead to other APIs, as recorded', (real, send) => async (asks, inOrder) => {
    if (!inOrder) return real.batch(asks, inOrder)
    const replies = []
    for (const ask of asks) {
      const { pathname, search } = new URL(`/law-15/${ask.relativeUrl}`, 'http://gateway.test')
      const answer = await send(ask.method, pathname.replace(/\/+/g, '/') + search, headersOfAsk(ask), ask.body)
      replies.push({ relativeUrl: ask.relativeUrl, status: answer.status, body: answer.text() })
    }
    return replies
  }),
  changed('a leading slash costs method and body, as recorded', (ask) =>
    ask.relativeUrl.startsWith('/') ? { ...ask, method: 'GET', body: '' } : ask,
  ),
  changed('items take the key of the first', (ask, all) => ({ ...ask, key: all[0]?.key })),
  changed('bodies are taken for Latin-1', (ask) => ({
    ...ask,
    body: [...new TextEncoder().encode(ask.body)].map((byte) => String.fromCharCode(byte)).join(''),
  })),
  changed('the query is lost', (ask) => ({ ...ask, relativeUrl: ask.relativeUrl.split('?', 1)[0] ?? '' })),
  fault(
    'replies come in the wrong order',
    (real) => async (asks, inOrder) => (await real.batch(asks, inOrder)).toReversed(),
  ),
  fault('what is refused ends the batch', (real) => async (asks, inOrder) => {
    const replies = []
    for (const ask of asks) {
      const [reply] = await real.batch([ask], inOrder)
      if (reply === undefined) break
      replies.push(reply)
      if (reply.status >= 400) break
    }
    return replies
  }),
  fault('an item that fails is tried again', (real) => async (asks, inOrder) => {
    const replies = await real.batch(asks, inOrder)
    const again = asks.filter((_, i) => (replies[i]?.status ?? 0) >= 500)
    if (again.length > 0) await real.batch(again, inOrder)
    return replies
  }),
  fault('equal items are asked once', (real) => async (asks, inOrder) => {
    const byUrl = new Map(asks.map((ask) => [`${ask.method} ${ask.relativeUrl} ${ask.key}`, ask]))
    const replies = await real.batch([...byUrl.values()], inOrder)
    const names = [...byUrl.keys()]
    return asks.flatMap(
      ({ method, relativeUrl, key }) => replies[names.indexOf(`${method} ${relativeUrl} ${key}`)] ?? [],
    )
  }),
]
