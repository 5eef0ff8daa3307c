/** Notes about parts of configurations of the original gateway that have no counterpart. */
import { makeNote, type Note } from '@turnpike/core/definition'
import { eachText, type JsonPath, printJsonPath } from '@turnpike/core/lib'

/** One note for all keys of older versions. */
export function noteRemovedKeys([first, ...others]: readonly JsonPath[]): Note[] {
  if (first === undefined) return []
  const names = others.map(printJsonPath)
  const isOne = names.length === 0
  const removed = isOne ? 'was removed' : `was removed, and so were ${names.join(', ')},`
  const values = { names: removed, them: isOne ? 'it' : 'them' }
  return [{ ...makeNote('removed-keys', first, values), ineffective: true }]
}

const storeReference = /^(vault|consul):\/\//

/** Values that other secret stores hold stay as they are written, so that nothing can be served with them. */
export function noteSecretStores(document: unknown): Note[] {
  const notes: Note[] = []
  eachText(document, (path, text) => {
    const store = storeReference.exec(text)?.[1]
    if (store === undefined) return
    notes.push(makeNote('config-secret-store', path, { store }))
  })
  return notes
}
