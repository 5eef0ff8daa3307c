import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { phases } from './contract/phase.ts'
import { stageOrder } from './order.ts'

const here = import.meta.dirname
const source = readFileSync(join(here, 'order.ts'), 'utf8')

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

  it('contains no stage twice', () => {
    const names = listed().map(({ make }) => make)
    expect(new Set(names).size).toBe(names.length)
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

  it('has the same names as the stages', () => {
    const named = [...source.matchAll(/^ {2,4}'?([\w-]+)'?: (make[A-Z]\w*),$/gm)]
    expect(named.length).toBe(stageOrder.stages.length + stageOrder.responses.length)
    for (const [, name, make] of named) {
      const { phase, file } = listed().find((one) => one.make === make) ?? { phase: '', file: '' }
      expect(readFileSync(join(here, phase, file), 'utf8'), file).toMatch(new RegExp(`['"\`]${name}['"\`]`))
    }
  })

  it('has stages whose phase is their folder', () => {
    for (const { phase, file } of listed()) {
      const text = readFileSync(join(here, phase, file), 'utf8')
      const phases = [...text.matchAll(/phase: '([^']+)'/g)].map(([, name]) => name)
      expect(phases.length, `${file} has no phase`).toBeGreaterThan(0)
      expect(new Set(phases), file).toEqual(new Set([phase]))
    }
  })
})
