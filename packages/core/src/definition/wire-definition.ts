/** Definitions as the management API returns and stores them. Source: docs/reference/api-management.md#definition-files. */
import type { Json } from '../lib/json.ts'
import type { ApiDefinition } from './api-definition.ts'
import { type ClassicDefinition, classicShape } from './classic.ts'

/** The classic document with references such as `env://NAME`, not with the values that the gateway uses. */
export function documentWithReferences({ document, secrets }: ApiDefinition): Readonly<ClassicDefinition> {
  return secrets?.document ?? document
}

/** The same of the OpenAPI document; `undefined` if the API has none. */
export function oasWithReferences({ oas, secrets }: ApiDefinition): Json | undefined {
  return secrets?.oas ?? oas
}

/** The document for a GET response: every field, with the listen path after conflicts were resolved. */
export function toWireDefinition(definition: ApiDefinition): unknown {
  const document = documentWithReferences(definition)
  const { proxy } = document
  const refersToSecret = proxy.listenPath !== definition.document.proxy.listenPath
  const listenPath = refersToSecret ? proxy.listenPath : definition.listenPath
  return classicShape.write({ ...document, proxy: { ...proxy, listenPath } })
}

/** The document for a file: JSON with every field, indented by two spaces. */
export function printDefinition(document: Readonly<ClassicDefinition>): string {
  return JSON.stringify(classicShape.write(document), null, 2)
}
