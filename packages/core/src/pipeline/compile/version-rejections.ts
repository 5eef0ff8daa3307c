/**
 * The chain that rejects a request whose version is missing or unknown. It runs the organisation check first and
 * records the request like any other (docs/reference/versions.md#versions-inside-one-definition).
 */
import type { ApiDefinition, ApiVersion } from '../../definition/api-definition.ts'
import { type Rejection, rejections, reword } from '../../http/rejections.ts'
import type { NoVersion } from '../../route/resolve-version.ts'
import { makeOrgInactive } from '../1-accept/org-inactive.ts'
import type { Stage } from '../contract/stage.ts'
import type { StageServices } from '../contract/stage-services.ts'
import { inPhase, type StageOrder } from '../stage-order.ts'
import { type Chain, makeChain } from './chain.ts'

/** An unknown version is 404 if versions are separate definitions, and 403 within one definition. */
const unknownInFamily = reword(rejections.versionUnknown, { status: 404 })

export function makeVersionRejections(api: ApiDefinition, services: StageServices, records: StageOrder['records']) {
  const version = api.versions.values().next().value as ApiVersion
  const made = new Map<Rejection, { readonly version: ApiVersion; readonly chain: Chain }>()
  return (kind: NoVersion, family: boolean) => {
    const rejection = rejectionOf(kind, family)
    let rejecting = made.get(rejection)
    if (rejecting === undefined) {
      const stages = { 'org-inactive': makeOrgInactive, 'version-check': () => ({ run: () => rejection }) }
      const order = { stages: inPhase<Stage>('1-accept', stages), responses: [], records }
      rejecting = { version, chain: makeChain({ api, version, services }, order) }
      made.set(rejection, rejecting)
    }
    return rejecting
  }
}

function rejectionOf(kind: NoVersion, family: boolean): Rejection {
  if (kind === 'missing') return rejections.versionMissing
  if (kind === 'no-default') return rejections.versionNoDefault
  if (kind === 'ambiguous-default') return rejections.versionAmbiguous
  return family ? unknownInFamily : rejections.versionUnknown
}
