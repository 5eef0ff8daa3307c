/** Reads PEM files that definitions name by path, with a short-lived cache, because requests use them. */
import { readFile } from 'node:fs/promises'
import { type Maybe, when } from '@turnpike/core/lib'
import type { Clock } from '@turnpike/core/ports'
import { systemClock } from '../clock-system/clock-system.ts'

export interface PemFiles {
  /** Returns the text, or `undefined` if the file cannot be read or is too long. */
  read(path: string): Maybe<string | undefined>
}

/** Maximum characters of a PEM file. */
const maxLength = 1024 * 1024
/** Milliseconds until a cached file is read again. */
const cacheMs = 10_000
const maxCached = 2000

export function makePemFiles(clock: Pick<Clock, 'now'> = systemClock): PemFiles {
  const cached = new Map<string, { text: Maybe<string | undefined>; readonly expiresAt: number }>()
  return {
    read(path) {
      const known = cached.get(path)
      if (known !== undefined && clock.now() < known.expiresAt) return known.text
      if (cached.size >= maxCached) cached.clear()
      const reading = readPemFile(path)
      const entry: { text: Maybe<string | undefined>; readonly expiresAt: number } = {
        text: reading,
        expiresAt: clock.now() + cacheMs,
      }
      cached.set(path, entry)
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
    return text.length > maxLength ? undefined : text
  } catch {
    return undefined
  }
}
