/**
 * Inserts stages of other packages before or after a stage of this package. The stage must name the phase of that
 * position; otherwise the first compilation of an API throws.
 */
import { type Phase, phases } from './contract/phase.ts'
import type { CompileContext, MakeResponseStage, MakeStage } from './contract/stage.ts'
import { type ResponseStageName, responseStagesByName, type StageName, type StageOrder, stagesByName } from './order.ts'

type Anchor<Name> = { readonly after: Name } | { readonly before: Name }

/** A stage to insert. Stages with the same anchor keep their order. */
export type StagePlugin = Anchor<StageName> & { readonly make: MakeStage }
export type ResponseStagePlugin = Anchor<ResponseStageName> & { readonly make: MakeResponseStage }

export interface StagePlugins {
  readonly stages?: readonly StagePlugin[]
  readonly responseStages?: readonly ResponseStagePlugin[]
}

export function placeStages(order: StageOrder, { stages = [], responseStages = [] }: StagePlugins): StageOrder {
  return {
    ...order,
    stages: insert(
      order.stages,
      stages.map((plugin) => ({ ...plugin, make: inPhase(plugin.make, phasesBeside(plugin)) })),
      (name) => stagesByName.get(name)?.make,
    ),
    responses: insert(
      order.responses,
      responseStages.map((plugin) => ({ ...plugin, make: inPhase(plugin.make, ['6-shape-response']) })),
      (name) => responseStagesByName.get(name),
    ),
  }
}

const anchorOf = (plugin: Anchor<string>) => ('after' in plugin ? plugin.after : plugin.before)

function insert<Make>(
  order: readonly Make[],
  plugins: readonly (Anchor<string> & { readonly make: Make })[],
  makerNamed: (name: string) => Make | undefined,
): readonly Make[] {
  for (const name of plugins.map(anchorOf)) {
    const anchor = makerNamed(name)
    if (anchor === undefined || !order.includes(anchor)) throw new Error(`the order has no stage named ${name}`)
  }
  const makersAt = (side: 'after' | 'before', anchor: Make) =>
    plugins.filter((plugin) => side in plugin && makerNamed(anchorOf(plugin)) === anchor).map(({ make }) => make)
  return order.flatMap((make) => [...makersAt('before', make), make, ...makersAt('after', make)])
}

/** Returns the phases allowed at a position: those of both neighbours and all phases between them. */
function phasesBeside(plugin: StagePlugin): readonly Phase[] {
  const names = [...stagesByName.keys()]
  const at = names.indexOf(anchorOf(plugin))
  const [first, last] = 'after' in plugin ? [at, Math.min(at + 1, names.length - 1)] : [Math.max(at - 1, 0), at]
  const phaseAt = (index: number) => phases.indexOf(stagesByName.get(names[index] ?? '')?.phase ?? '1-accept')
  return phases.slice(phaseAt(first), phaseAt(last) + 1)
}

/** Wraps the maker so that it throws if its stage belongs to none of these phases. */
function inPhase<Made extends { readonly name: string; readonly phase: Phase }>(
  make: (compileContext: CompileContext) => Made | null,
  allowed: readonly Phase[],
): (compileContext: CompileContext) => Made | null {
  return (compileContext) => {
    const stage = make(compileContext)
    if (stage === null || allowed.includes(stage.phase)) return stage
    throw new Error(`the stage ${stage.name} is of phase ${stage.phase}, but its place is in ${allowed.join(' or ')}`)
  }
}
