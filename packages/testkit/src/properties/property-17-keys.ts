/**
 * Property 17, against a model: a map of keys. Concurrent calls may take effect in any order, but all results must
 * agree with one order. So the check keeps every map that is still possible and requires the next results to fit one of
 * them. It covers one node only: after a change, other nodes may be stale for a limited time. Expiry is a time in whole
 * seconds, so within that second a key may be accepted or not.
 */

import type { Millis } from '@turnpike/core/lib'
import { keyShapes } from '../arbitraries/case-shapes.ts'
import { type KeyCall, type KeyCase, keyCases, keyIds, showKeyCase } from '../arbitraries/key-cases.ts'
import { makeProperty } from './property.ts'
import {
  fullNameOf,
  type KeyFacts,
  type KeysSubject,
  type KeysUnderTest,
  storedNameFor,
} from './subjects/keys-subject.ts'

export const keysProperty = makeProperty<KeysSubject, KeyCase>({
  number: 17,
  isExpensive: true,
  name: 'lifetime of keys',
  statement:
    'Create, read, update, delete and list behave as one map, by every name of a key and in every interleaving; a key that was deleted or has expired admits nothing that starts after that.',
  cases: keyCases,
  requestsOf: ({ rounds }) => rounds.reduce((sum, { calls }) => sum + calls.length, 0),
  show: showKeyCase,
  shapes: keyShapes,
  async check(subject, { rounds }) {
    const underTest = await subject.make()
    let possible: KeyMap[] = [new Map()]
    for (const [index, { waitMs, calls }] of rounds.entries()) {
      if (waitMs > 0) await underTest.wait(waitMs)
      const now = underTest.now()
      const answers = await Promise.all(calls.map((call) => make(underTest, call, now)))
      const made = calls.map((call, i): Made => ({ call, answer: answers[i] ?? '' }))
      const next = possible.flatMap((map) => explain(map, made, now, subject.settings))
      if (next.length === 0) {
        const wanted = possible[0] === undefined ? '' : explainOne(possible[0], made, now, subject.settings)
        return `in round ${index} no order of the calls explains the answers ${answers.join(', ')}; ${wanted}`
      }
      possible = distinct(next)
    }
    return undefined
  },
})

type KeyMap = ReadonlyMap<string, KeyFacts>

interface Made {
  readonly call: KeyCall
  /** Result in words, for comparison and for messages. */
  readonly answer: string
}

function factsOf(call: Extract<KeyCall, { fields: object }>, now: Millis): KeyFacts {
  const { alias, expiresInSeconds } = call.fields
  return { alias, expires: expiresInSeconds === 0 ? 0 : Math.floor(now / 1000) + expiresInSeconds }
}

function showFacts(facts: KeyFacts | undefined): string {
  return facts === undefined ? 'no such key' : `${facts.alias} until ${facts.expires}`
}

/** Makes the call and returns its result in words. */
async function make(underTest: KeysUnderTest, call: KeyCall, now: Millis): Promise<string> {
  switch (call.kind) {
    case 'add':
      return `added ${await underTest.add(call.id, factsOf(call, now))}`
    case 'update':
      return (await underTest.update(call.id, call.by, factsOf(call, now))) ? 'updated' : 'no such key'
    case 'read':
      return showFacts(await underTest.read(call.id, call.by))
    case 'remove':
      return (await underTest.remove(call.id, call.by)) ? 'removed' : 'no such key'
    case 'list':
      return (await underTest.list())?.toSorted().join(' ') ?? 'no list'
    case 'request':
      return (await underTest.admits(call.id, call.by)) ? 'admitted' : 'rejected'
  }
}

interface Played {
  readonly answer: string
  /** Another correct result. */
  readonly orElse?: string
  readonly map: KeyMap
}

/** Returns the result of the model in the same words, and the map after the call. */
function play(map: KeyMap, call: KeyCall, now: Millis, settings: KeysSubject['settings']): Played {
  if (call.kind === 'list') {
    const names = keyIds.filter((id) => map.has(id)).map((id) => storedNameFor(id, settings))
    return { answer: names.toSorted().join(' '), map }
  }
  const held = map.get(call.id)
  switch (call.kind) {
    case 'add':
      return { answer: `added ${fullNameOf(call.id, settings)}`, map: new Map(map).set(call.id, factsOf(call, now)) }
    case 'update':
      if (held === undefined) return { answer: 'no such key', map }
      return { answer: 'updated', map: new Map(map).set(call.id, factsOf(call, now)) }
    case 'read':
      return { answer: showFacts(held), map }
    case 'remove':
      if (held === undefined) return { answer: 'no such key', map }
      return { answer: 'removed', map: new Map([...map].filter(([id]) => id !== call.id)) }
    case 'request': {
      const restMs = held === undefined ? -1 : held.expires === 0 ? 1 : held.expires * 1000 - now
      if (held !== undefined && restMs <= 0 && restMs > -1000) return { answer: 'rejected', orElse: 'admitted', map }
      return { answer: restMs > 0 ? 'admitted' : 'rejected', map }
    }
  }
}

/** Returns every map that some order of the calls leads to while it explains all results. */
function explain(map: KeyMap, made: readonly Made[], now: Millis, settings: KeysSubject['settings']): KeyMap[] {
  if (made.length === 0) return [map]
  return made.flatMap(({ call, answer }, i) => {
    const played = play(map, call, now, settings)
    // The check ignores the list of a gateway that cannot list keys.
    if (![played.answer, played.orElse, 'no list'].includes(answer)) return []
    return explain(played.map, made.toSpliced(i, 1), now, settings)
  })
}

/** Returns the results of the model for the calls in the given order, for messages. */
function explainOne(map: KeyMap, made: readonly Made[], now: Millis, settings: KeysSubject['settings']): string {
  let state = map
  const answers = made.map(({ call }) => {
    const played = play(state, call, now, settings)
    state = played.map
    return played.answer
  })
  return `in their order they would be ${answers.join(', ')}`
}

function distinct(maps: readonly KeyMap[]): KeyMap[] {
  const byText = new Map<string, KeyMap>()
  for (const map of maps) byText.set(keyIds.map((id) => showFacts(map.get(id))).join('|'), map)
  return [...byText.values()]
}
