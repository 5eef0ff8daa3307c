/** Checks the custom stages of a program: names, phases, positions and schemas. */
import { isJson } from '../../lib/json.ts'
import { compileJsonSchema } from '../../lib/json-schema/schema-texts.ts'
import { nearestName } from '../../lib/shape/shape.ts'
import { phases } from '../contract/phase.ts'
import { stageOrder } from '../stage-order.ts'

export interface StageListProblem {
  /** Path of the member, such as `[1].after`. */
  readonly place: string
  readonly message: string
}

const entries = [...stageOrder.stages, ...stageOrder.responses]
const members = ['name', 'phase', 'before', 'after', 'schema', 'defaultConfig', 'make']
const customPhases: readonly string[] = phases.filter((phase) => phase !== '7-record')

/** The first problem; `undefined`: the stages can be used. */
export function findStageProblem(stages: readonly unknown[]): StageListProblem | undefined {
  const names = new Map<string, number>()
  for (const [index, stage] of stages.entries()) {
    const found = problemOf(stage) ?? repeatedName(stage as { readonly name: string }, names, index)
    if (found !== undefined) return { place: `[${index}]${found.place}`, message: found.message }
  }
  return undefined
}

function problemOf(stage: unknown): StageListProblem | undefined {
  if (!isJson(stage)) {
    return { place: '', message: `must be an object with name, phase and make; given: ${String(stage)}` }
  }
  const { name, phase, schema, make } = stage
  const unknown = Object.keys(stage).find((member) => !members.includes(member))
  if (unknown !== undefined) {
    const near = nearestName(unknown, members)
    const fix = near === undefined ? `the members are ${members.join(', ')}` : `did you mean "${near}"?`
    return { place: `.${unknown}`, message: `is not a member of a stage; ${fix}` }
  }
  if (typeof name !== 'string' || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    return { place: '.name', message: `must be lower-case letters, digits and dashes; given: ${JSON.stringify(name)}` }
  }
  if (typeof phase !== 'string' || !customPhases.includes(phase)) {
    return { place: '.phase', message: `must be one of ${customPhases.join(', ')}; given: ${JSON.stringify(phase)}` }
  }
  if (typeof make !== 'function') return { place: '.make', message: 'must be a function' }
  return positionProblem(stage as Position, phase) ?? schemaProblem(schema)
}

interface Position {
  readonly before?: unknown
  readonly after?: unknown
}

function positionProblem({ before, after }: Position, phase: string): StageListProblem | undefined {
  if (before !== undefined && after !== undefined) {
    return { place: '.before', message: 'and after exclude each other; leave one out' }
  }
  const [member, anchor] = before === undefined ? ['after', after] : ['before', before]
  if (anchor === undefined) return undefined
  const inPhase = stageNamesOf(phase)
  if (typeof anchor === 'string' && inPhase.includes(anchor)) return undefined
  const actual = typeof anchor === 'string' ? phaseOf(anchor) : undefined
  const given = JSON.stringify(anchor)
  if (actual !== undefined) {
    return { place: `.${member}`, message: `names ${given}, which is in phase ${actual}, not in ${phase}` }
  }
  const near = typeof anchor === 'string' ? nearestName(anchor, inPhase) : undefined
  const fix = near === undefined ? `the stages of ${phase} are ${inPhase.join(', ')}` : `did you mean "${near}"?`
  return { place: `.${member}`, message: `must name a built-in stage of the phase, given: ${given}; ${fix}` }
}

/** The built-in stages of a phase, in their order. */
export function stageNamesOf(phase: string): readonly string[] {
  return entries.filter((entry) => entry.phase === phase).map(({ name }) => name)
}

function phaseOf(name: string): string | undefined {
  return entries.find((entry) => entry.name === name)?.phase
}

function schemaProblem(schema: unknown): StageListProblem | undefined {
  if (schema === undefined) return undefined
  const { problem } = isJson(schema) ? compileJsonSchema(schema) : { problem: 'it is no object' }
  return problem === undefined ? undefined : { place: '.schema', message: `is not a valid JSON Schema: ${problem}` }
}

function repeatedName(
  { name }: { readonly name: string },
  names: Map<string, number>,
  index: number,
): StageListProblem | undefined {
  const earlier = names.get(name)
  names.set(name, index)
  if (earlier !== undefined) return { place: '.name', message: `is the name of [${earlier}] too: "${name}"` }
  if (phaseOf(name) === undefined) return undefined
  return { place: '.name', message: `is the name of a built-in stage: "${name}"` }
}
