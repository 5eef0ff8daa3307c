/**
 * Where no version is meant, the request is refused by a chain of its own: behind what comes before versions, and
 * recorded like any other. Source: spec/apis-and-pipeline.md 4.1.
 */
import type { ApiDefinition, ApiVersion } from '../../definition/api-definition.ts'
import { type Rejection, rejections, reword } from '../../http/errors.ts'
import { makeOrgInactive } from '../1-accept/org-inactive.ts'
import type { MakeRecordStage, Stage } from '../contract/stage.ts'
import type { StageServices } from '../contract/stage-services.ts'
import { type Chain, makeChain } from './chain.ts'

/** Among versions that are definitions of their own, an unknown one is 404; within one definition 403. */
const unknownInFamily = reword(rejections.versionUnknown, { status: 404 })

export function makeVersionRejections(
  api: ApiDefinition,
  services: StageServices,
  records: readonly MakeRecordStage[],
) {
  const version = api.versions.values().next().value as ApiVersion
  const made = new Map<Rejection, { readonly version: ApiVersion; readonly chain: Chain }>()
  return (kind: 'missing' | 'unknown' | 'no-default', family: boolean) => {
    const rejection = rejectionOf(kind, family)
    let refusal = made.get(rejection)
    if (refusal === undefined) {
      const stage: Stage = { name: 'version-check', phase: '1-accept', run: () => rejection }
      const order = { stages: [makeOrgInactive, () => stage], responses: [], records }
      refusal = { version, chain: makeChain({ api, version, services }, order) }
      made.set(rejection, refusal)
    }
    return refusal
  }
}

function rejectionOf(kind: 'missing' | 'unknown' | 'no-default', family: boolean): Rejection {
  if (kind === 'missing') return rejections.versionMissing
  if (kind === 'no-default') return rejections.versionNoDefault
  return family ? unknownInFamily : rejections.versionUnknown
}
