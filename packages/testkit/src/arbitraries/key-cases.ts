/** What clients do to keys: calls one after the other and at once, by each name that a key has. */
import fc from 'fast-check'

/** Which of a key's names a call uses: the full one, the id alone, or the name it is stored under. */
export type KeyNaming = 'full' | 'short' | 'stored'

/** What a call wants a key to say. */
export interface KeyWish {
  readonly alias: string
  /** Seconds until it expires; 0: never. */
  readonly livesFor: number
}

export type KeyCall =
  | { readonly kind: 'add'; readonly id: string; readonly wish: KeyWish }
  | { readonly kind: 'update'; readonly id: string; readonly by: KeyNaming; readonly wish: KeyWish }
  | { readonly kind: 'read'; readonly id: string; readonly by: KeyNaming }
  | { readonly kind: 'remove'; readonly id: string; readonly by: KeyNaming }
  | { readonly kind: 'list' }
  /** A request to an API with the key. */
  | { readonly kind: 'ask'; readonly id: string; readonly by: 'full' | 'short' }

/** Calls made at once, after those before were answered; `waitMs` passes before them. */
export interface KeyRound {
  readonly waitMs: number
  readonly calls: readonly KeyCall[]
}

export interface KeyCase {
  readonly rounds: readonly KeyRound[]
}

/**
 * With an organisation of four letters, these differ within whole blocks of four bytes, so that even the recorded
 * murmur32, which skips the tail, tells them apart.
 */
export const keyIds = ['ant-0001', 'bee-0002', 'cat-0003'] as const

const id = fc.constantFrom(...keyIds)
const by = fc.constantFrom<KeyNaming>('full', 'short', 'stored')
const wish: fc.Arbitrary<KeyWish> = fc.record({
  alias: fc.constantFrom('red', 'green', 'blue'),
  livesFor: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }) },
  ),
})
const call: fc.Arbitrary<KeyCall> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('add' as const), id, wish }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('update' as const), id, by, wish }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove' as const), id, by }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('read' as const), id, by }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('ask' as const), id, by: fc.constantFrom('full', 'short') }) },
)
// A list is no single look at the store, so it is only asked alone.
const round: fc.Arbitrary<KeyRound> = fc.record({
  waitMs: fc.constantFrom(0, 0, 0, 0, 1, 999, 1000, 2500),
  calls: fc.oneof(
    { weight: 5, arbitrary: fc.tuple(call) },
    { weight: 4, arbitrary: fc.array(call, { minLength: 2, maxLength: 3 }) },
    { weight: 1, arbitrary: fc.constant([{ kind: 'list' as const }]) },
  ),
})

/** Draws cases. */
export const keyCases: fc.Arbitrary<KeyCase> = fc.record({ rounds: fc.array(round, { minLength: 1, maxLength: 14 }) })

/** A case for people. */
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
  const wish =
    'wish' in call ? ` as ${call.wish.alias}${call.wish.livesFor > 0 ? `, ${call.wish.livesFor} s` : ''}` : ''
  return `${call.kind} ${call.id}${naming}${wish}`
}
