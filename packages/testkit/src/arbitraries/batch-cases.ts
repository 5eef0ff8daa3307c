/** Generates batches with paths that try to leave the API, keys that run out of quota, and failing upstreams. */
import fc from 'fast-check'

/** One request of a batch, with the path that must be used if it is sent alone. */
export interface BatchItem {
  readonly method: string
  /** The value of `relative_url` in the batch. */
  readonly relativeUrl: string
  /** The path below the listen path after dot segments, hosts and doubled slashes are removed. */
  readonly resolvedPath: string
  /** `undefined`: the request has no key. */
  readonly key: 'red' | 'blue' | undefined
  readonly body: string
}

export interface BatchCase {
  readonly items: readonly BatchItem[]
  readonly inOrder: boolean
}

/** Path segments to which the scripted upstream responds with an error or a redirect. */
export const upstreamSegments = { down: 'down', busy: 'busy', out: 'out' } as const

interface Piece {
  readonly text: string
  /** `up` removes the previous segment; `nothing` adds no segment. */
  readonly means: 'itself' | 'up' | 'nothing'
}

const itself = (text: string): Piece => ({ text, means: 'itself' })
const pieces: readonly Piece[] = [
  itself('a'),
  itself('b'),
  itself(upstreamSegments.busy),
  itself(upstreamSegments.down),
  itself(upstreamSegments.out),
  itself('batch-api-other'),
  itself('..%2fbatch-api-other'),
  itself('..%5cbatch-api-other'),
  { text: '..', means: 'up' },
  { text: '%2e%2E', means: 'up' },
  { text: '.', means: 'nothing' },
  { text: '', means: 'nothing' },
]

/** Prefixes of paths, with the segments that remain of them. */
const starts: readonly { readonly text: string; readonly remaining: readonly string[] }[] = [
  { text: '', remaining: [] },
  { text: '/', remaining: [] },
  { text: '//', remaining: [] },
  { text: '//elsewhere.test/', remaining: ['elsewhere.test'] },
  { text: 'http://elsewhere.test:1/', remaining: ['http:', 'elsewhere.test:1'] },
  { text: '../batch-api-other/', remaining: ['batch-api-other'] },
  { text: '/batch-api/../batch-api-other/', remaining: ['batch-api-other'] },
]

const path = fc
  .record({
    start: fc.oneof({ weight: 2, arbitrary: fc.constant(starts[0]) }, fc.constantFrom(...starts)),
    inner: fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant(pieces[0]) }, fc.constantFrom(...pieces)), {
      maxLength: 4,
    }),
    // The last segment is plain, because a gateway may keep or remove a trailing slash.
    last: fc.constantFrom('a', upstreamSegments.busy, upstreamSegments.down),
  })
  .map(({ start, inner, last }) => {
    const kept = [...(start?.remaining ?? [])]
    for (const piece of inner) {
      if (piece?.means === 'itself') kept.push(piece.text)
      else if (piece?.means === 'up') kept.pop()
    }
    const written = [...inner.map((piece) => piece?.text ?? ''), last]
    return { relativeUrl: `${start?.text ?? ''}${written.join('/')}`, resolvedPath: [...kept, last].join('/') }
  })

const item: fc.Arbitrary<BatchItem> = fc
  .record({
    path,
    method: fc.constantFrom('GET', 'GET', 'POST', 'DELETE'),
    key: fc.constantFrom('red', 'red', 'blue', undefined),
    query: fc.constantFrom('', '?x=1&y=/../z'),
  })
  .map(({ path: { relativeUrl, resolvedPath }, method, key, query }) => ({
    method,
    relativeUrl: relativeUrl + query,
    resolvedPath: resolvedPath + query,
    key,
    body: method === 'POST' ? 'žluť' : '',
  }))

/** Parallel batches have few items, because the property may have to try every order of them. */
export const batchCases: fc.Arbitrary<BatchCase> = fc.oneof(
  fc.record({ items: fc.array(item, { maxLength: 8 }), inOrder: fc.constant(true) }),
  fc.record({ items: fc.array(item, { maxLength: 4 }), inOrder: fc.constant(false) }),
)

/** Formats a case for a report. */
export function showBatchCase({ items, inOrder }: BatchCase): string {
  const lines = items.map(
    ({ method, relativeUrl, key, body }, i) =>
      `  ${i}: ${method} ${JSON.stringify(relativeUrl)} ${key === undefined ? 'without a key' : `with key ${key}`}${body === '' ? '' : ` and "${body}"`}`,
  )
  return [`  a batch ${inOrder ? 'in order' : 'at once'}:`, ...lines].join('\n')
}
