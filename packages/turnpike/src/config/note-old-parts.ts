/** Notes about parts of configurations of the original gateway that have no counterpart. */
import { eachText, type JsonPath, printJsonPath } from '@turnpike/core/lib'
import type { ConfigNote } from './config-note.ts'

/** One note for all keys of older versions. */
export function noteRemovedKeys([first, ...others]: readonly JsonPath[]): ConfigNote[] {
  if (first === undefined) return []
  const names = others.map(printJsonPath)
  const more = names.length === 0 ? 'was removed' : `was removed, and so were ${names.join(', ')},`
  const fix = names.length === 0 ? 'remove it' : 'remove them'
  return [{ severity: 'note', path: first, reason: `${more} from the original gateway`, fix, ineffective: true }]
}

const storeReference = /^(vault|consul):\/\//

/** Values that other secret stores hold stay as they are written, so that nothing can be served with them. */
export function noteSecretStores(document: unknown): ConfigNote[] {
  const notes: ConfigNote[] = []
  eachText(document, (path, text) => {
    const store = storeReference.exec(text)?.[1]
    if (store === undefined) return
    const reason = `${store}:// is a secret store that is not supported; the text stays as it is`
    notes.push({ severity: 'error', path, reason, fix: 'use env://NAME or secrets://NAME' })
  })
  return notes
}
