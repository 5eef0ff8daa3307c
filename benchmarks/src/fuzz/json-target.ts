/** A body that validation accepts is valid for readers that take the first or the last member, or ignore case. */
import { createGateway } from 'turnpike'
import { definition, paths } from '../subjects/definition.ts'
import { recordingUpstream } from './empty-upstream.ts'
import { FuzzFinding, type FuzzTarget } from './fuzz-target.ts'
import { makeRandom, mostly, mutateText, pick, type Random } from './generate.ts'

/** `risk` has the letters for which Unicode has further capitals: U+212A is folded to `k`, U+017F to `s`. */
const schema = {
  type: 'object',
  properties: {
    risk: { enum: ['low'] },
    inner: { type: 'object', properties: { risk: { enum: ['low'] } } },
  },
}
const names: readonly string[] = [
  ...['"risk"', '"Risk"', '"\\u0072isk"', '"ris\u212a"', '"ri\u017fk"', '"\\u0052ISK"'],
  ...['"inner"', '"INNER"', '"i\\u006ener"', '"other"', '"__proto__"', '""'],
]
const values: readonly string[] = ['"low"', '"high"', '1', 'null', '[]', '"\\u006cow"', '":"', '"\\\\"', '"\\""']
const pieces: readonly string[] = [
  '{',
  '}',
  ',',
  ':',
  '"',
  '\\',
  '\ufeff',
  '/*',
  '\0',
  '\u00a0',
  'NaN',
  '"risk":"high",',
]
const types: readonly [string, ...string[]] = [
  'application/json',
  ...['application/json; charset=utf-8', 'application/json; charset=utf-16le', 'application/json;charset="latin1"'],
]

/** A JSON value as it is written: objects are lists of members, with repeated names. */
type Written = { readonly members: readonly (readonly [string, Written])[] } | { readonly value: unknown }

/** Reads text that `JSON.parse` accepts. Items of lists have no members for the schema, so a list is one value. */
function readWritten(text: string): Written {
  let at = 0
  const token = () => {
    const [found = ''] = /^[\s]*("(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+)/.exec(text.slice(at)) ?? []
    at += found.length
    return found.trim()
  }
  const read = (first: string): Written => {
    if (first === '[') {
      for (let next = token(); next !== ']'; next = token()) if (next !== ',') read(next)
      return { value: [] }
    }
    if (first !== '{') return { value: JSON.parse(first) }
    const members: (readonly [string, Written])[] = []
    for (let next = token(); next !== '}'; next = token()) {
      if (next === ',') continue
      token()
      members.push([JSON.parse(next), read(token())])
    }
    return { members }
  }
  return read(token())
}

const exactly = (name: string) => name
const folded = (name: string) => name.toUpperCase().toLowerCase().toUpperCase()

/** Whether a reader finds a value that the schema forbids. `take`: which of several members it takes. */
function isForbidden(read: Written, take: 0 | -1, fold: (name: string) => string): boolean {
  if (!('members' in read)) return true
  const find = ({ members }: { members: Extract<Written, { members: unknown }>['members'] }, name: string) =>
    members.filter(([one]) => fold(one) === fold(name)).at(take)?.[1]
  const hasRisk = (object: Extract<Written, { members: unknown }>) => {
    const risk = find(object, 'risk')
    return risk !== undefined && !('value' in risk && risk.value === 'low')
  }
  const inner = find(read, 'inner')
  return hasRisk(read) || (inner !== undefined && (!('members' in inner) || hasRisk(inner)))
}

const readers = [
  ['takes the first member', 0, exactly],
  ['takes the last member', -1, exactly],
  ['takes the first member in any case', 0, folded],
  ['takes the last member in any case', -1, folded],
] as const

export const jsonTarget: FuzzTarget = {
  name: 'json-readings',
  weight: 1,
  keepsState: false,
  async open() {
    let input = ''
    let problem: string | undefined
    const upstream = recordingUpstream(({ headers }, body) => {
      problem = problemOf(headers, body)
    })
    const rule = { path: '/', method: 'POST', schema, error_response_code: 422 }
    const gateway = await createGateway({
      ...{ upstream, store: 'memory', log: 'silent' },
      definitions: () => [definition('checked', 'http://127.0.0.1:1', paths({ validate_json: [rule] }))] as never,
    })
    return {
      async run(seed) {
        const random = makeRandom(seed)
        const text = objectText(random, 2)
        input = mostly(random, [text, mutateText(random, text, pieces, 2)])
        problem = undefined
        const headers = { 'content-type': mostly(random, types) }
        await gateway.inject({ method: 'POST', url: '/checked/', headers, body: input })
        if (problem !== undefined) throw new FuzzFinding(problem, [headers, input])
      },
      close: () => gateway.close(0),
    }
  },
}

/** Why a reader of an accepted body could be deceived. */
function problemOf(headers: readonly string[], body: Uint8Array): string | undefined {
  const type = headers[headers.findIndex((name) => name.toLowerCase() === 'content-type') + 1] ?? ''
  if (/utf-16|latin1/.test(type)) return 'the upstream got another charset'
  const text = Buffer.from(body).toString()
  try {
    JSON.parse(text)
  } catch {
    return 'the upstream got what is not JSON'
  }
  const written = readWritten(text)
  return readers.find(([, take, fold]) => isForbidden(written, take, fold))?.[0]
}

function objectText(random: Random, depth: number): string {
  const members = Array.from({ length: random(4) }, () => {
    const value = depth > 0 && random(2) === 0 ? objectText(random, depth - 1) : mostly(random, ['"low"', ...values])
    return `${pick(random, names)}${pick(random, ['', ' ', '\n'])}:${value}`
  })
  return `{${members.join(',')}}`
}
