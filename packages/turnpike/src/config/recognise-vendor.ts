/**
 * Recognises the vendor word when the configuration does not name it: by the name of the file, then by the definitions and
 * documents of its folder. Variables of another word alone are a warning, because they can belong to another program.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { makeNote, placeNote } from '@turnpike/core/definition'
import { vendorOfText } from '../formats/vendor-word.ts'
import type { Environment } from './environment.ts'
import type { Finding } from './finding.ts'

const byDefault = 'svc'
/** The word of the original gateway, whose configuration is `tyk.conf`. */
const original = 'tyk'
/** Definitions of one folder have one word, so the first files decide. */
const maxFiles = 50
const maxBytes = 1024 * 1024

interface Seen {
  readonly word: string
  /** What shows the word, for messages. */
  readonly what: string
}

export interface RecognisedVendor {
  /** The word to use; `undefined`: that of the configuration, or the default. */
  readonly vendor: string | undefined
  readonly findings: readonly Finding[]
}

export function recogniseVendor(
  document: Readonly<Record<string, unknown>>,
  { file, environment }: { readonly file: string | undefined; readonly environment: Environment },
): RecognisedVendor {
  if (file === undefined) return { vendor: undefined, findings: [] }
  const { vendor } = document
  const appPath = typeof document['app_path'] === 'string' ? document['app_path'] : 'apps'
  const seen = [
    ...wordOfName(file),
    ...wordOfPaths(document),
    ...wordOfFolder(resolve(dirname(file), appPath || 'apps')),
  ]
  const variables = Object.keys(environment).filter((name) => /^TYK_GW_/.test(name) && environment[name] !== undefined)
  const ofVariables: Seen[] = variables.length === 0 ? [] : [{ word: original, what: listed(variables.sort()) }]
  if (typeof vendor === 'string' && vendor !== '') {
    const word = vendor.toLowerCase()
    const others = [...seen, ...ofVariables].filter((one) => one.word !== word)
    return { vendor: undefined, findings: others.length === 0 ? [] : [withoutEffect(file, vendor, others)] }
  }
  const [first] = seen
  if (first !== undefined) {
    return { vendor: first.word, findings: first.word === byDefault ? [] : [recognised(file, first)] }
  }
  return { vendor: undefined, findings: ofVariables.map((one) => ignoredVariables(file, one)) }
}

/** Whether a finding says which word was recognised, which `start` prints too. */
export function isVendorNote({ id }: Finding): boolean {
  return id === 'vendor-recognised'
}

function wordOfName(file: string): Seen[] {
  const name = basename(file)
  return /^tyk[\w.-]*\.conf$/.test(name) ? [{ word: original, what: `the file is named ${name}` }] : []
}

/** Paths of the container image of the original gateway. */
function wordOfPaths(document: Readonly<Record<string, unknown>>): Seen[] {
  const path = Object.values(document).find(
    (value) => typeof value === 'string' && value.startsWith('/opt/tyk-gateway/'),
  )
  return path === undefined ? [] : [{ word: original, what: `it names ${String(path)}` }]
}

function wordOfFolder(folder: string): Seen[] {
  for (const name of namesIn(folder)) {
    const word = vendorOfText(textOfFile(join(folder, name)))
    if (word !== undefined) return [{ word, what: `${name} has its names` }]
  }
  return []
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /\.(json|ya?ml)$/.test(name))
      .sort()
      .slice(0, maxFiles)
  } catch {
    return []
  }
}

function textOfFile(file: string): string {
  try {
    return statSync(file).size > maxBytes ? '' : readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function listed(names: readonly string[]): string {
  const more = names.length > 3 ? ` and ${names.length - 3} more` : ''
  return `the environment has ${names.slice(0, 3).join(', ')}${more}`
}

function recognised(source: string, { word, what }: Seen): Finding {
  return placeNote(makeNote('vendor-recognised', ['vendor'], { word, what }), source, undefined)
}

function withoutEffect(source: string, vendor: string, others: readonly Seen[]): Finding {
  const what = others.map(({ what }) => what).join(' and ')
  const word = others[0]?.word ?? original
  return placeNote(makeNote('vendor-differs', ['vendor'], { vendor, what, word }), source, undefined)
}

function ignoredVariables(source: string, { word, what }: Seen): Finding {
  const values = { vendor: byDefault, what, word }
  return placeNote(makeNote('variables-of-other-word', ['vendor'], values), source, undefined)
}
