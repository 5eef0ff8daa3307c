/**
 * A folder of JSON files as documents. What was read is remembered by stamp, so that reading again costs one look at
 * each file and the reading of those that changed: about 5 ms for 1,000 files with one changed.
 */
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock, SourceDocument } from '@turnpike/core'
import { lookAt, stampOf } from './file-stamp.ts'
import { problemDocument, type ReadDocument, readDocument, reasonOf } from './read-document.ts'
import { makeFileSlices } from './time-slices.ts'

export interface JsonFolder {
  /** Reads what is there now; the documents are in the order of their names. */
  read(): Promise<{ readonly documents: readonly SourceDocument[]; readonly problem: string | undefined }>
}

export interface JsonFolderOptions {
  readonly path: string
  /** What stands before a problem of the folder itself. */
  readonly called: string
  /** Which file names are documents. */
  readonly isDocument: (name: string) => boolean
  /** Longer files are not read. */
  readonly maxBytes: number
  readonly clock: Clock
}

/** Makes the reader of one folder. */
export function makeJsonFolder({ path, called, isDocument, maxBytes, clock }: JsonFolderOptions): JsonFolder {
  let known = new Map<string, ReadDocument>()
  return {
    async read() {
      let names: string[]
      try {
        names = documentNames(path, isDocument)
      } catch (error) {
        return { documents: [], problem: `${called} ${path} ${reasonOf(error)}` }
      }
      const slices = makeFileSlices(clock)
      const now = new Map<string, ReadDocument>()
      for (const name of names) {
        const read = readAgain(join(path, name), name, known.get(name), maxBytes)
        if (read !== undefined) now.set(name, read)
        const pause = slices.pause()
        if (pause !== undefined) await pause
      }
      known = now
      return { documents: Array.from(now.values(), ({ document }) => document), problem: undefined }
    },
  }
}

/** Names of the documents in a folder, sorted; throws when it cannot be listed. */
export function documentNames(path: string, isDocument: (name: string) => boolean): string[] {
  return readdirSync(path).filter(isDocument).sort()
}

/** One file on its own, which may be missing: with the same memory. */
export function makeJsonFile(path: string, name: string, maxBytes: number): () => SourceDocument {
  let known: ReadDocument | undefined
  return () => {
    known = readAgain(path, name, known, maxBytes)
    return known?.document ?? problemDocument(name, 'does not exist')
  }
}

function readAgain(
  path: string,
  name: string,
  known: ReadDocument | undefined,
  maxBytes: number,
): ReadDocument | undefined {
  const stats = lookAt(path)
  if (stats === undefined) {
    // Gone since the folder was listed; a link that leads nowhere is still there.
    const link = lstatSync(path, { throwIfNoEntry: false })
    return link === undefined ? undefined : readDocument(path, name, maxBytes)
  }
  if (known?.stamp.trusted && known.stamp.text === stampOf(stats, 0).text) return known
  return readDocument(path, name, maxBytes)
}
