/** Batches that look for trouble: paths that try to leave the API, keys that run out on the way, answers that fail. */
import fc from 'fast-check'

/** A request of a batch, and what it means when it is sent alone. */
export interface BatchAsk {
  readonly method: string
  /** As the batch has it. */
  readonly relativeUrl: string
  /** What stays of it behind the listen path when dots, hosts and doubled slashes are taken for what they are. */
  readonly meant: string
  /** `undefined`: without a key. */
  readonly key: 'red' | 'blue' | undefined
  readonly body: string
}

export interface BatchCase {
  readonly asks: readonly BatchAsk[]
  readonly inOrder: boolean
}

/** First segments that the upstream answers in a way of its own. */
export const upstreamWords = { down: 'down', busy: 'busy', out: 'out' } as const

interface Piece {
  readonly text: string
  /** `up`: takes the segment before it away; `nothing`: leaves nothing. */
  readonly means: 'itself' | 'up' | 'nothing'
}

const itself = (text: string): Piece => ({ text, means: 'itself' })
const pieces: readonly Piece[] = [
  itself('a'),
  itself('b'),
  itself(upstreamWords.busy),
  itself(upstreamWords.down),
  itself(upstreamWords.out),
  itself('law-15-other'),
  itself('..%2flaw-15-other'),
  itself('..%5claw-15-other'),
  { text: '..', means: 'up' },
  { text: '%2e%2E', means: 'up' },
  { text: '.', means: 'nothing' },
  { text: '', means: 'nothing' },
]

/** What may stand in front, with what it leaves. */
const starts: readonly { readonly text: string; readonly leaves: readonly string[] }[] = [
  { text: '', leaves: [] },
  { text: '/', leaves: [] },
  { text: '//', leaves: [] },
  { text: '//elsewhere.test/', leaves: ['elsewhere.test'] },
  { text: 'http://elsewhere.test:1/', leaves: ['http:', 'elsewhere.test:1'] },
  { text: '../law-15-other/', leaves: ['law-15-other'] },
  { text: '/law-15/../law-15-other/', leaves: ['law-15-other'] },
]

const path = fc
  .record({
    start: fc.oneof({ weight: 2, arbitrary: fc.constant(starts[0]) }, fc.constantFrom(...starts)),
    inner: fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant(pieces[0]) }, fc.constantFrom(...pieces)), {
      maxLength: 4,
    }),
    // The last one is plain, so that no path ends in a slash, which may be kept or not.
    last: fc.constantFrom('a', upstreamWords.busy, upstreamWords.down),
  })
  .map(({ start, inner, last }) => {
    const kept = [...(start?.leaves ?? [])]
    for (const piece of inner) {
      if (piece?.means === 'itself') kept.push(piece.text)
      else if (piece?.means === 'up') kept.pop()
    }
    const written = [...inner.map((piece) => piece?.text ?? ''), last]
    return { relativeUrl: `${start?.text ?? ''}${written.join('/')}`, meant: [...kept, last].join('/') }
  })

const ask: fc.Arbitrary<BatchAsk> = fc
  .record({
    path,
    method: fc.constantFrom('GET', 'GET', 'POST', 'DELETE'),
    key: fc.constantFrom('red', 'red', 'blue', undefined),
    query: fc.constantFrom('', '?x=1&y=/../z'),
  })
  .map(({ path: { relativeUrl, meant }, method, key, query }) => ({
    method,
    relativeUrl: relativeUrl + query,
    meant: meant + query,
    key,
    body: method === 'POST' ? 'žluť' : '',
  }))

/** Draws cases. At once only a few, since every order of them may have to be tried. */
export const batchCases: fc.Arbitrary<BatchCase> = fc.oneof(
  fc.record({ asks: fc.array(ask, { maxLength: 8 }), inOrder: fc.constant(true) }),
  fc.record({ asks: fc.array(ask, { maxLength: 4 }), inOrder: fc.constant(false) }),
)

/** A case for people. */
export function showBatchCase({ asks, inOrder }: BatchCase): string {
  const lines = asks.map(
    ({ method, relativeUrl, key, body }, i) =>
      `  ${i}: ${method} ${JSON.stringify(relativeUrl)} ${key === undefined ? 'without a key' : `with key ${key}`}${body === '' ? '' : ` and "${body}"`}`,
  )
  return [`  a batch ${inOrder ? 'in order' : 'at once'}:`, ...lines].join('\n')
}
