/** What the check of new keys needs to know of a running gateway. */
import type { ApiDefinition, Engine, GatewaySettings } from '@turnpike/core'
import type { KeyApi, KeyFacts } from '../keys/find-key-problems.ts'

interface Sources {
  readonly settings: GatewaySettings
  /** Returns the same list until the next reload. */
  definitions(): readonly ApiDefinition[]
}

/** Returns a function that returns the current facts. It rebuilds the index of APIs after a reload only. */
export function keyFactsOf(engine: Pick<Engine, 'policies'>, { settings, definitions }: Sources): () => KeyFacts {
  let indexed: readonly ApiDefinition[] | undefined
  let apis: ReadonlyMap<string, KeyApi> = new Map()
  return () => {
    const current = definitions()
    if (current !== indexed) {
      indexed = current
      apis = new Map(current.map((api) => [api.id, keyApiOf(api)]))
    }
    return { settings: settings.keys, policies: engine.policies(), apis, allowsUnknownApis: true }
  }
}

function keyApiOf({ orgId, versioning, versions }: ApiDefinition): KeyApi {
  return { orgId, versions: versioning.kind === 'named' ? [...versions.keys()] : undefined }
}
