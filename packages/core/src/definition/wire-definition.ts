/** Definitions as the management API returns and stores them. Source: docs/reference/api-management.md#definition-files. */
import type { Json } from '../lib/json.ts'
import type { ApiDefinition } from './api-definition.ts'
import { type ClassicDefinition, classicShape } from './classic.ts'
import { isUnresolved } from './resolve-secrets.ts'

/** The classic document with references such as `env://NAME`, not with the values that the gateway uses. */
export function documentWithReferences({ document, secrets }: ApiDefinition): Readonly<ClassicDefinition> {
  return secrets?.document ?? document
}

/** The same of the OpenAPI document; `undefined` if the API has none. */
export function oasWithReferences({ oas, secrets }: ApiDefinition): Json | undefined {
  return secrets?.oas ?? oas
}

/** Listen path and host for output: as the gateway uses them, or as they are in the file if they contain references. */
export function placeWithReferences(definition: ApiDefinition): Pick<ApiDefinition, 'listenPath' | 'domain'> {
  const { proxy, domain, domainDisabled } = documentWithReferences(definition)
  return {
    listenPath: isUnresolved(proxy.listenPath) ? proxy.listenPath : definition.listenPath,
    domain: isUnresolved(domain) && !domainDisabled ? domain : definition.domain,
  }
}

/** The document for a GET response: every field, with the listen path after conflicts were resolved. */
export function toWireDefinition(definition: ApiDefinition): unknown {
  const document = documentWithReferences(definition)
  const { listenPath } = placeWithReferences(definition)
  return classicShape.write({ ...document, proxy: { ...document.proxy, listenPath } })
}

/** The document for a file: JSON with every field, indented by two spaces. */
export function printDefinition(document: Readonly<ClassicDefinition>): string {
  return JSON.stringify(classicShape.write(document), null, 2)
}
