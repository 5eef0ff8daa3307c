/**
 * Template files that a definition's rules name (`template_mode: "file"`). They are read with the definition and belong
 * to it: one that is missing makes the definition unusable, and one whose text has changed makes it another.
 * Source: spec/apis-and-pipeline.md 2.3.
 */
import { hashText } from '../lib/hash/key-hash.ts'
import type { JsonPath } from '../lib/shape/shape.ts'
import type { ApiDefinition } from './api-definition.ts'
import type { DefinitionProblem } from './definition-problem.ts'

/** Text of a template file by the name that a definition has for it; `undefined` when it cannot be read. */
export type ReadTemplate = (name: string) => string | undefined

export interface TemplateFile {
  readonly name: string
  /** Where the definition names it, in its classic form. */
  readonly path: JsonPath
}

/** Every file that the definition's body transforms name, once for each rule. */
export function templateFilesOf({ versions }: Pick<ApiDefinition, 'versions'>): TemplateFile[] {
  return [...versions].flatMap(([version, { paths }]) => {
    const lists = { transform: paths.transform, transform_response: paths.transformResponse }
    return Object.entries(lists).flatMap(([list, rules]) =>
      rules.flatMap(({ templateData }, i) => {
        if (templateData.templateMode !== 'file') return []
        const place = [
          'version_data',
          'versions',
          version,
          'extended_paths',
          list,
          i,
          'template_data',
          'template_source',
        ]
        return [{ name: templateData.templateSource, path: place }]
      }),
    )
  })
}

/** What is to be said of a file that cannot be read. */
export function missingTemplate(name: string): string {
  return `the template file "${name}" cannot be read; it must lie below template_path or middleware_path`
}

/** The definition with the texts of its files, or which file it lacks. */
export function withTemplateFiles(
  definition: ApiDefinition,
  read: ReadTemplate,
): { readonly definition: ApiDefinition } | { readonly problem: Pick<DefinitionProblem, 'message' | 'path'> } {
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
