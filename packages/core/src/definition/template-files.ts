/**
 * Body templates of path rules, and the files of those with `template_mode: "file"`. The gateway reads the files with the
 * definition: a changed file changes the hash of the definition. The path of a template that cannot be read responds
 * with 500, and the rest of the API is served.
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

/** The templates of all body transforms of a classic document, one entry per rule that is not disabled. */
export function bodyTemplatesOf({ versionData }: Pick<ClassicDefinition, 'versionData'>): BodyTemplate[] {
  return Object.entries(versionData.versions ?? {}).flatMap(([name, { useExtendedPaths, extendedPaths }]) => {
    if (!useExtendedPaths) return []
    const lists = { transform: extendedPaths.transform, transform_response: extendedPaths.transformResponse }
    return Object.entries(lists).flatMap(([list, rules]) =>
      (rules ?? []).flatMap(({ disabled, templateData: data }, i) => {
        const path = ['version_data', 'versions', name, 'extended_paths', list, i, 'template_data', 'template_source']
        return disabled ? [] : [{ data, path }]
      }),
    )
  })
}

/** Why a template whose source cannot be read is invalid. */
export function unreadableTemplate({ templateMode, templateSource }: TemplateData): string {
  if (templateMode !== 'file') return 'the source of the template is not base64'
  return `the file "${templateSource}" cannot be read; it must be below template_path or middleware_path`
}

/** Text of a body template; `undefined`: it cannot be read. `files`: texts of template files, by name. */
export function readTemplateSource(
  { templateMode, templateSource }: TemplateData,
  files: ReadonlyMap<string, string> | undefined,
): string | undefined {
  if (templateMode === 'file') return files?.get(templateSource)
  const bytes = decodeBase64(templateSource.replace(/[\r\n]/g, ''))
  return bytes === undefined ? undefined : utf8Text(bytes)
}

/** The error message for a template of a definition that is checked; `undefined` if it is valid. */
export function bodyTemplateProblem({ data }: Pick<BodyTemplate, 'data'>, read: ReadTemplate): string | undefined {
  const { templateMode, templateSource } = data
  const source = templateMode === 'file' ? read(templateSource) : readTemplateSource(data, undefined)
  const problem = source === undefined ? unreadableTemplate(data) : parseTemplate(source).problem?.message
  return problem && `is not a valid template, so requests to this path get 500: ${problem}`
}

/**
 * The definition with the texts of its template files. If a file cannot be read, its text in `lastGood` is used, and the
 * problem is returned.
 */
export function withTemplateFiles(
  definition: ApiDefinition,
  read: ReadTemplate,
  lastGood: ReadonlyMap<string, string> = new Map(),
): { readonly definition: ApiDefinition; readonly problem?: ServingProblem } {
  const files = bodyTemplatesOf(definition.document).filter(({ data }) => data.templateMode === 'file')
  if (files.length === 0) return { definition }
  const texts = new Map<string, string>()
  let problem: ServingProblem | undefined
  for (const { data, path } of files) {
    const name = data.templateSource
    const now = texts.get(name) ?? read(name)
    const text = now ?? lastGood.get(name)
    if (text !== undefined) texts.set(name, text)
    if (now === undefined && text !== undefined) problem ??= { path, message: unreadableTemplate(data) }
  }
  const hash = `${definition.hash} ${hashText(JSON.stringify([...texts]), 'murmur128')}`
  return { definition: { ...definition, hash, templateFiles: texts }, ...(problem === undefined ? {} : { problem }) }
}
