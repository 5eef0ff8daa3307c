/**
 * Body templates of path rules, and the files of those with `template_mode: "file"`. The gateway reads the files with the definition: a missing
 * file makes the definition invalid, and a changed file changes the hash of the definition.
 * Source: docs/reference/transforms.md#body-templates.
 */
import { hashText } from '../lib/hash/hash-key-name.ts'
import type { JsonPath } from '../lib/shape/shape.ts'
import { parseTemplate } from '../lib/template/template.ts'
import { decodeBase64 } from '../lib/text/base64.ts'
import { utf8Text } from '../lib/text/utf8.ts'
import type { ApiDefinition, ApiVersion } from './api-definition.ts'
import type { ClassicDefinition } from './classic.ts'
import type { ServingProblem } from './definition-problem.ts'

type TemplateData = ApiVersion['paths']['transform'][number]['templateData']

/** Returns the text of a template file; `undefined`: it cannot be read. */
export type ReadTemplate = (name: string) => string | undefined

export interface BodyTemplate {
  readonly data: TemplateData
  /** Path of its source in the classic definition. */
  readonly path: JsonPath
}

/** The templates of all body transforms, one entry per rule. */
export function bodyTemplatesOf({ versions }: Pick<ApiDefinition, 'versions'>): BodyTemplate[] {
  return [...versions].flatMap(([version, { paths }]) => {
    const lists = { transform: paths.transform, transform_response: paths.transformResponse }
    return Object.entries(lists).flatMap(([list, rules]) =>
      rules.map(({ templateData }, i) => {
        const rule = ['version_data', 'versions', version, 'extended_paths', list, i]
        return { data: templateData, path: [...rule, 'template_data', 'template_source'] }
      }),
    )
  })
}

/** Why a template whose source cannot be read is invalid. */
export const unreadableTemplate = 'the source of the template is not base64'

/** Text of a body template; `undefined`: it cannot be read. `files`: texts of template files, by name. */
export function readTemplateSource(
  { templateMode, templateSource }: TemplateData,
  files: ReadonlyMap<string, string> | undefined,
): string | undefined {
  if (templateMode === 'file') return files?.get(templateSource)
  const bytes = decodeBase64(templateSource.replace(/[\r\n]/g, ''))
  return bytes === undefined ? undefined : utf8Text(bytes)
}

/** The error message for the text of a template; `undefined` if it is valid. */
export function templateProblem(source: string | undefined): string | undefined {
  const problem = source === undefined ? unreadableTemplate : parseTemplate(source).problem?.message
  return problem && `is not a valid template, so requests to this path get 500: ${problem}`
}

/** The problem of a template of a definition that is checked; `undefined` if there is none. */
export function bodyTemplateProblem({ data }: BodyTemplate, read: ReadTemplate): string | undefined {
  if (data.templateMode !== 'file') return templateProblem(readTemplateSource(data, undefined))
  const text = read(data.templateSource)
  return text === undefined ? missingTemplate(data.templateSource) : templateProblem(text)
}

/** The invalid body templates of a classic document, except those in files, which are read with the definition. */
export function invalidTemplatesOf({ versionData }: Pick<ClassicDefinition, 'versionData'>): ServingProblem[] {
  return Object.entries(versionData.versions ?? {}).flatMap(([name, { useExtendedPaths, extendedPaths }]) => {
    if (!useExtendedPaths) return []
    const lists = { transform: extendedPaths.transform, transform_response: extendedPaths.transformResponse }
    return Object.entries(lists).flatMap(([list, rules]) =>
      (rules ?? []).flatMap(({ disabled, templateData }, i) => {
        if (disabled || templateData.templateMode === 'file') return []
        const message = templateProblem(readTemplateSource(templateData, undefined))
        const path = ['version_data', 'versions', name, 'extended_paths', list, i, 'template_data', 'template_source']
        return message === undefined ? [] : [{ path, message }]
      }),
    )
  })
}

/** The error message for a file that cannot be read. */
function missingTemplate(name: string): string {
  return `the template file "${name}" cannot be read; it must be below template_path or middleware_path`
}

/** The definition with the texts of its template files, or the problem of a missing file. */
export function withTemplateFiles(
  definition: ApiDefinition,
  read: ReadTemplate,
): { readonly definition: ApiDefinition } | { readonly problem: ServingProblem } {
  const files = bodyTemplatesOf(definition).filter(({ data }) => data.templateMode === 'file')
  if (files.length === 0) return { definition }
  const texts = new Map<string, string>()
  for (const { data, path } of files) {
    const name = data.templateSource
    const text = texts.get(name) ?? read(name)
    if (text === undefined) return { problem: { message: missingTemplate(name), path } }
    texts.set(name, text)
  }
  const hash = `${definition.hash} ${hashText(JSON.stringify([...texts]), 'murmur128')}`
  return { definition: { ...definition, hash, templateFiles: texts } }
}
