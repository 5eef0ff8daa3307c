/** Generates sequential and concurrent management calls on keys, by every name of a key. */
import fc from 'fast-check'

/** The name of a key that a call uses: the full name, the id without the organisation, or the stored (hashed) name. */
export type KeyNaming = 'full' | 'short' | 'stored'

/** The fields that a call writes. */
export interface KeyFields {
  readonly alias: string
  /** Seconds until the key expires; 0: never. */
  readonly expiresInSeconds: number
}

export type KeyCall =
  | { readonly kind: 'add'; readonly id: string; readonly fields: KeyFields }
  | { readonly kind: 'update'; readonly id: string; readonly by: KeyNaming; readonly fields: KeyFields }
  | { readonly kind: 'read'; readonly id: string; readonly by: KeyNaming }
  | { readonly kind: 'remove'; readonly id: string; readonly by: KeyNaming }
  | { readonly kind: 'list' }
  /** A client request to an API with the key. */
  | { readonly kind: 'request'; readonly id: string; readonly by: 'full' | 'short' }

/** Concurrent calls. They start `waitMs` milliseconds after the previous round has completed. */
export interface KeyRound {
  readonly waitMs: number
  readonly calls: readonly KeyCall[]
}

export interface KeyCase {
  readonly rounds: readonly KeyRound[]
}

/**
 * Together with an organisation of four letters, these ids differ within whole blocks of four bytes. The compatible
 * murmur32 hash ignores an incomplete last block, so that other ids could collide.
 */
export const keyIds = ['ant-0001', 'bee-0002', 'cat-0003'] as const

const id = fc.constantFrom(...keyIds)
const by = fc.constantFrom<KeyNaming>('full', 'short', 'stored')
const fields: fc.Arbitrary<KeyFields> = fc.record({
  alias: fc.constantFrom('red', 'green', 'blue'),
  expiresInSeconds: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }) },
  ),
})
const call: fc.Arbitrary<KeyCall> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('add' as const), id, fields }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('update' as const), id, by, fields }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove' as const), id, by }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('read' as const), id, by }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('request' as const), id, by: fc.constantFrom('full', 'short') }),
  },
)
// Listing is not atomic, so it is never called concurrently with other calls.
const round: fc.Arbitrary<KeyRound> = fc.record({
  waitMs: fc.constantFrom(0, 0, 0, 0, 1, 999, 1000, 2500),
  calls: fc.oneof(
    { weight: 5, arbitrary: fc.tuple(call) },
    { weight: 4, arbitrary: fc.array(call, { minLength: 2, maxLength: 3 }) },
    { weight: 1, arbitrary: fc.constant([{ kind: 'list' as const }]) },
  ),
})

export const keyCases: fc.Arbitrary<KeyCase> = fc.record({ rounds: fc.array(round, { minLength: 1, maxLength: 14 }) })

/** Formats a case for a report. */
export function showKeyCase({ rounds }: KeyCase): string {
  return rounds
    .map(({ waitMs, calls }, index) => {
      const wait = waitMs === 0 ? '' : `after ${waitMs} ms `
      return `  ${index}: ${wait}${calls.map(showCall).join(' at once with ')}`
    })
    .join('\n')
}

function showCall(call: KeyCall): string {
  if (call.kind === 'list') return 'list'
  const naming = 'by' in call ? ` by ${call.by} name` : ''
  const fields =
    'fields' in call
      ? ` as ${call.fields.alias}${call.fields.expiresInSeconds > 0 ? `, ${call.fields.expiresInSeconds} s` : ''}`
      : ''
  return `${call.kind} ${call.id}${naming}${fields}`
}
