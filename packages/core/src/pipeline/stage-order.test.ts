import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type { AuthStage } from '../definition/auth-modes/auth-mode-record.ts'
import type { CallingStage, RecordedStage } from './7-record/access-log.ts'
import { phases } from './contract/phase.ts'
import { type StageName, stageOrder } from './stage-order.ts'

const here = import.meta.dirname
const source = readFileSync(join(here, 'stage-order.ts'), 'utf8')

/** Files that have another name than their stage, because they are one of two or the name alone says too little. Metrics and spans report the names of stages. */
const otherFiles: Readonly<Record<string, string>> = {
  'path-lists': 'enforce-path-lists',
  'unavailable-guard': 'unsupported-guard',
  'key-access': 'key-state-and-access',
  headers: 'request-headers',
  'cache-read': 'cache-read-configured',
  'cache-write': 'cache-write-configured',
  record: 'write-request-record',
  analytics: 'write-analytics',
}

/** The names of the `make…` functions in the list and their phase folders, in the order of the list. */
function listed(): { make: string; phase: string; file: string }[] {
  const imports = new Map(
    [...source.matchAll(/import \{ (.+?) \} from '\.\/([^/]+)\/([^']+)'/g)].flatMap(([, names, phase, file]) =>
      (names as string)
        .split(', ')
        .map((make) => [make, { make, phase: phase as string, file: file as string }] as const),
    ),
  )
  const list = source.slice(source.indexOf('const requestStages'))
  return [...list.matchAll(/\b(make[A-Z]\w*)/g)].map(([, make]) => {
    const found = imports.get(make as string)
    if (found === undefined) throw new Error(`${make} is not imported from a phase folder`)
    return found
  })
}

describe('the order of stages', () => {
  it('has phases in ascending order', () => {
    const positions = listed().map(({ phase }) => phases.indexOf(phase as (typeof phases)[number]))
    expect(positions).not.toContain(-1)
    expect(positions).toEqual(positions.toSorted((a, b) => a - b))
  })

  it('has stages that are called like their files', () => {
    const files = new Map(listed().map(({ make, file }) => [make, file]))
    const named = [...source.matchAll(/^ {2,4}'?([\w-]+)'?: (make[A-Z]\w*),$/gm)]
    expect(named.length).toBeGreaterThan(50)
    for (const [, name = '', make = ''] of named) {
      expect(files.get(make)).toBe(`${otherFiles[name] ?? name}.ts`)
    }
  })

  it('contains no stage twice', () => {
    const names = listed().map(({ make }) => make)
    expect(new Set(names).size).toBe(names.length)
  })

  it('gives every stage the phase of its folder', () => {
    const entries = [...stageOrder.stages, ...stageOrder.responses, ...stageOrder.records]
    expect(entries.map(({ phase }) => phase)).toEqual(listed().map(({ phase }) => phase))
  })

  it('contains the stage of every file in the phase folders', () => {
    const files = new Set(listed().map(({ phase, file }) => `${phase}/${file}`))
    for (const phase of phases) {
      for (const file of readdirSync(join(here, phase)).filter((name) => /^[^.]+\.ts$/.test(name))) {
        const text = readFileSync(join(here, phase, file), 'utf8')
        const makes = /export const make\w+: Make(Response|Record)?Stage/.test(text)
        if (makes) expect(files, `${phase}/${file} makes a stage that is not in the list`).toContain(`${phase}/${file}`)
      }
    }
  })

  it('has the stages that other files name', () => {
    expectTypeOf<AuthStage>().toExtend<StageName>()
    expectTypeOf<CallingStage>().toExtend<StageName>()
    expectTypeOf<RecordedStage>().toExtend<StageName>()
  })
})
