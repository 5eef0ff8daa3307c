/** The definitions and policies that a configuration names: served where they are, or converted if they are exports. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { foreignDocumentOf, isPolicyLike, isSidecarName, sidecarFileOf } from '@turnpike/core/definition'
import { isJson, textOf } from '@turnpike/core/lib'
import { type Found, nothingFound } from '../formats/found.ts'
import { readFiles } from '../formats/read-files.ts'
import { valuesOfText } from '../formats/values-of-text.ts'
import { vendorOfDocument } from '../formats/vendor-word.ts'
import type { ConvertedFile } from './convert-found.ts'
import { isFolder } from './find-files.ts'

export interface OwnedFiles {
  /** What must be converted; `undefined`: the gateway serves the files as they are. */
  readonly convert: Found | undefined
  /** Files that are copied, because others of their folder are converted. */
  readonly copies: readonly ConvertedFile[]
}

const asTheyAre: OwnedFiles = { convert: undefined, copies: [] }

/** Reads the folder of definitions. */
export function ownedDefinitions(folder: string, vendor: string): OwnedFiles {
  if (!isFolder(folder)) return asTheyAre
  const names = readdirSync(folder)
    .filter((name) => /\.(json|ya?ml)$/i.test(name) && !name.startsWith('.'))
    .sort()
  const known = new Set(names)
  const own = new Set<string>()
  for (const name of names) {
    if (own.has(name) || !isServed(join(folder, name), vendor)) continue
    own.add(name)
    const sidecar = sidecarFileOf(name, readFileSync(join(folder, name), 'utf8'))
    if (known.has(sidecar)) own.add(sidecar)
  }
  const others = names.filter((name) => !own.has(name) && !/^README/i.test(name))
  const found = readFiles(others.map((name) => join(folder, name))).found
  if (found.apis.length === 0) return asTheyAre
  const copies = [...own].map((name) => {
    const source = join(folder, name)
    return { name: `apps/${name}`, source, text: readFileSync(source, 'utf8') }
  })
  return { convert: { ...found, policies: [] }, copies }
}

/** Whether the gateway serves a file without a conversion. */
function isServed(file: string, vendor: string): boolean {
  const name = basename(file)
  if (!/\.(json|ya?ml)$/.test(name) || isSidecarName(name)) return false
  const read = valuesOfText(readFileSync(file, 'utf8'), name)
  const [value] = read.values ?? []
  if (!isJson(value) || read.values?.length !== 1 || foreignDocumentOf(value) !== undefined) return false
  return 'openapi' in value || 'swagger' in value ? vendorOfDocument(value) === vendor : 'proxy' in value
}

/** Reads the policies at a path: a file of policies by id, or a folder of one policy each. */
export function ownedPolicies(path: string): OwnedFiles {
  if (!existsSync(path)) return asTheyAre
  const files = isFolder(path)
    ? readdirSync(path)
        .filter((name) => /\.(json|ya?ml)$/i.test(name) && !name.startsWith('.'))
        .sort()
    : [basename(path)]
  const folder = isFolder(path) ? path : dirname(path)
  const isPlain = isFolder(path) ? isPlainPolicy : isPlainMap
  if (files.every((name) => isPlain(join(folder, name)))) return asTheyAre
  const { found } = readFiles(files.map((name) => join(folder, name)))
  if (found.policies.length === 0) return asTheyAre
  const { policies, leftOut } = found
  return { convert: { ...nothingFound(), policies, leftOut }, copies: [] }
}

function isPlainPolicy(file: string): boolean {
  const read = valuesOfText(readFileSync(file, 'utf8'), file)
  const [value] = read.values ?? []
  return /\.(json|ya?ml)$/.test(file) && read.values?.length === 1 && isPolicyLike(value) && hasId(value)
}

function hasId(value: unknown): boolean {
  return isJson(value) && textOf(value['id']) !== ''
}

function isPlainMap(file: string): boolean {
  const read = valuesOfText(readFileSync(file, 'utf8'), file)
  const [value] = read.values ?? []
  if (read.values?.length !== 1 || !isJson(value) || isPolicyLike(value)) return false
  return Object.entries(value).every(([name, member]) => name === '$schema' || isPolicyLike(member))
}
