/** Definitions as the management API returns and stores them. Source: docs/reference/api-management.md#definition-files. */
import type { ApiDefinition } from './api-definition.ts'
import { type ClassicDefinition, classicShape } from './classic.ts'

/** The document for a GET response: every field, with the listen path after conflicts were resolved. */
export function toWireDefinition(definition: ApiDefinition): unknown {
  const { document, listenPath } = definition
  return classicShape.write({ ...document, proxy: { ...document.proxy, listenPath } })
}

/** The document for a file: JSON with every field, indented by two spaces. */
export function printDefinition(document: Readonly<ClassicDefinition>): string {
  return JSON.stringify(classicShape.write(document), null, 2)
}
