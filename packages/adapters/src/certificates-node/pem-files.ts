/** PEM files that definitions name by their path, kept for a short while: requests ask for them. */
import { readFile } from 'node:fs/promises'
import { type Clock, type Maybe, when } from '@turnpike/core'
import { systemClock } from '../clock-system/clock-system.ts'

export interface PemFiles {
  /** The text; `undefined`: there is no such file, or it is longer than any PEM file. */
  read(path: string): Maybe<string | undefined>
}

/** Longest PEM file that is read, bytes. */
const longestFile = 1024 * 1024
/** How long a file is believed. */
const believedMs = 10_000
const mostKept = 2000

export function makePemFiles(clock: Pick<Clock, 'now'> = systemClock): PemFiles {
  const kept = new Map<string, { text: Maybe<string | undefined>; readonly until: number }>()
  return {
    read(path) {
      const known = kept.get(path)
      if (known !== undefined && clock.now() < known.until) return known.text
      if (kept.size >= mostKept) kept.clear()
      const reading = readPemFile(path)
      const entry: { text: Maybe<string | undefined>; readonly until: number } = {
        text: reading,
        until: clock.now() + believedMs,
      }
      kept.set(path, entry)
      return when(reading, (text) => {
        entry.text = text
        return text
      })
    },
  } satisfies PemFiles
}

async function readPemFile(path: string): Promise<string | undefined> {
  try {
    const text = await readFile(path, 'utf8')
    return text.length > longestFile ? undefined : text
  } catch {
    return undefined
  }
}
