/** How a classic definition is shown and stored. Source: spec/apis-and-pipeline.md 1.3. */
import type { ApiDefinition } from './api-definition.ts'
import { type ClassicDefinition, classicShape } from './classic.ts'

/** The document as GET answers it: every field, with the listen path that it really has after conflicts (1.5). */
export function toWireDefinition(definition: ApiDefinition): unknown {
  const { document, listenPath } = definition
  return classicShape.write({ ...document, proxy: { ...document.proxy, listenPath } })
}

/** The document as a file: JSON indented by two spaces, every field present. */
export function printDefinition(document: Readonly<ClassicDefinition>): string {
  return JSON.stringify(classicShape.write(document), null, 2)
}
