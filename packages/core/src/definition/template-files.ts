/**
 * Template files that path rules name (`template_mode: "file"`). The gateway reads them with the definition: a missing
 * file makes the definition invalid, and a changed file changes the hash of the definition.
 * Source: docs/reference/transforms.md#body-templates.
 */
import { hashText } from '../lib/hash/hash-key-name.ts'
import type { JsonPath } from '../lib/shape/shape.ts'
import type { ApiDefinition } from './api-definition.ts'
import type { ServingProblem } from './definition-problem.ts'

/** Returns the text of a template file; `undefined`: it cannot be read. */
export type ReadTemplate = (name: string) => string | undefined

export interface TemplateFile {
  readonly name: string
  /** Path of the rule that names it, in the classic definition. */
  readonly path: JsonPath
}

/** The template files of all body transforms, one entry per rule. */
export function templateFilesOf({ versions }: Pick<ApiDefinition, 'versions'>): TemplateFile[] {
  return [...versions].flatMap(([version, { paths }]) => {
    const lists = { transform: paths.transform, transform_response: paths.transformResponse }
    return Object.entries(lists).flatMap(([list, rules]) =>
      rules.flatMap(({ templateData }, i) => {
        if (templateData.templateMode !== 'file') return []
        const rule = ['version_data', 'versions', version, 'extended_paths', list, i]
        return [{ name: templateData.templateSource, path: [...rule, 'template_data', 'template_source'] }]
      }),
    )
  })
}

/** The error message for a file that cannot be read. */
export function missingTemplate(name: string): string {
  return `the template file "${name}" cannot be read; it must be below template_path or middleware_path`
}

/** The definition with the texts of its template files, or the problem of a missing file. */
export function withTemplateFiles(
  definition: ApiDefinition,
  read: ReadTemplate,
): { readonly definition: ApiDefinition } | { readonly problem: ServingProblem } {
  const files = templateFilesOf(definition)
  if (files.length === 0) return { definition }
  const texts = new Map<string, string>()
  for (const { name, path } of files) {
    const text = texts.get(name) ?? read(name)
    if (text === undefined) return { problem: { message: missingTemplate(name), path } }
    texts.set(name, text)
  }
  const hash = `${definition.hash} ${hashText(JSON.stringify([...texts]), 'murmur128')}`
  return { definition: { ...definition, hash, templateFiles: texts } }
}
