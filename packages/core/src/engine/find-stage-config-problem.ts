/** Checks the custom stages of a definition that is not served, as the reload that loads it will. */
import type { SourceDocument } from '../definition/definition-source.ts'
import { parseDefinition } from '../definition/parse-definition.ts'
import type { StageConfigProblem } from '../pipeline/custom-stages/make-custom-stages.ts'
import type { Services } from './create-services.ts'
import type { EngineOptions } from './engine-options.ts'

/** A definition in classic notation, with its OpenAPI document if it has one. */
export interface CheckedStages {
  readonly text: string
  readonly sidecar?: string
}

/**
 * Resolves with the first problem of the configurations of custom stages, or `undefined`. Other problems of the
 * definition are not reported. Makes the stages, whose handlers are dropped.
 */
export type FindStageConfigProblem = (definition: CheckedStages) => Promise<StageConfigProblem | undefined>

export function makeFindStageConfigProblem(
  { secret = () => undefined }: Pick<EngineOptions, 'secret'>,
  services: Services,
): FindStageConfigProblem {
  return async ({ text, sidecar }) => {
    const document: SourceDocument | undefined =
      sidecar === undefined ? undefined : { name: 'document', hash: '', text: sidecar, problem: undefined }
    const { vendor } = services.settings
    const { definition } = parseDefinition(text, 'definition', '', { secret, vendor, sidecar: document })
    return definition && services.customStages.prepare(definition, services)
  }
}
