/** Writes what was found as ordinary files: definitions with their documents, and policies. */

import { apiIdRule, isApiId, sidecarNameOf } from '@turnpike/core/definition'
import type { Json } from '@turnpike/core/lib'
import type { Found, FoundApi, LeftOut } from '../formats/found.ts'
import { convertSwagger } from '../formats/open-api-2.ts'
import { vendorOfDocument } from '../formats/vendor-word.ts'
import { convertOpenApi } from '../import/convert-openapi.ts'

export interface ConvertedFile {
  /** Path in the new folder, such as `apps/orders.json`. */
  readonly name: string
  readonly text: string
  /** The file that it was made from. */
  readonly source: string
}

export interface ConvertedFiles {
  readonly files: readonly ConvertedFile[]
  readonly leftOut: readonly LeftOut[]
  readonly apis: number
  readonly policies: number
}

interface Schemas {
  readonly classic: string
  readonly document: string
}

/** `schemas`: values of `$schema`. Files have the names of their ids; of two with one id the first is kept. */
export async function convertFound(found: Found, vendor: string, schemas?: Schemas): Promise<ConvertedFiles> {
  const files = new Map<string, ConvertedFile>()
  const leftOut = [...found.leftOut]
  let apis = 0
  for (const api of found.apis) {
    const made = await filesOfApi(api, vendor, schemas)
    const [first] = 'problem' in made ? [] : made.files
    if ('problem' in made) leftOut.push({ source: api.source, reason: made.problem })
    else if (files.has(first?.name ?? '')) {
      leftOut.push({ source: api.source, reason: `the API "${api.id}" is in another file already` })
    } else {
      apis++
      for (const file of made.files) files.set(file.name, file)
    }
  }
  let policies = 0
  for (const { id, source, value } of found.policies) {
    const name = `policies/${fileName(id)}.json`
    if (files.has(name)) leftOut.push({ source, reason: `the policy "${id}" is in another file already` })
    else {
      policies++
      files.set(name, { name, source, text: print(value) })
    }
  }
  return { files: [...files.values()], leftOut, apis, policies }
}

type FilesOfApi = { readonly files: readonly ConvertedFile[] } | { readonly problem: string }

async function filesOfApi(
  { kind, id, value, source, overrides }: FoundApi,
  vendor: string,
  schemas: Schemas | undefined,
): Promise<FilesOfApi> {
  if (kind === 'definition') {
    if (id === '') return { problem: 'has a definition without api_id' }
    if (!isApiId(fileName(id))) return { problem: `has the api_id "${id}", which must be ${apiIdRule}` }
    return {
      files: [
        {
          name: `apps/${fileName(id)}.json`,
          source,
          text: print(schemas === undefined ? value : { $schema: schemas.classic, ...value }),
        },
      ],
    }
  }
  const word = vendorOfDocument(value)
  if (word !== undefined && word !== vendor) {
    return { problem: `has the extension x-${word}-api-gateway, but the vendor word is "${vendor}"` }
  }
  const document = value['swagger'] === undefined ? { document: value } : await convertSwagger(value)
  if (document.problem !== undefined) return { problem: document.problem }
  const options = { source, vendor, ...(id === '' ? {} : { id }), ...overrides }
  const converted = await convertOpenApi(document.document, options)
  if (converted.problem !== undefined) return { problem: converted.problem }
  const { api } = converted
  const file = (name: string, schema: string | undefined, json: Json): ConvertedFile => {
    const text = print(schema === undefined ? json : { $schema: schema, ...json })
    return { name: `apps/${fileName(name)}.json`, source, text }
  }
  const definition = file(api.id, schemas?.classic, api.definition)
  return { files: [definition, file(sidecarNameOf(api.id), schemas?.document, api.document)] }
}

/** Ids of the operator and of dashboards are safe names; others may contain a slash. */
function fileName(id: string): string {
  return id.replace(/[^\w.-]/g, '_')
}

function print(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
