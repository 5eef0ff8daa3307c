/**
 * Tells when documents in a folder change. The system's notices make it quick; a slow look at all stamps makes it
 * certain: notices are lost when a folder is replaced, on network disks and when the system has run out of them.
 * What is told is a change of stamps, not a notice, so that temporary files of editors wake nobody.
 */
import { type FSWatcher, statSync, watch } from 'node:fs'
import { join } from 'node:path'
import type { Cancel, Clock } from '@turnpike/core'
import { lookAt, stampOf } from './file-stamp.ts'
import { documentNames } from './json-folder.ts'
import { makeFileSlices } from './time-slices.ts'

/** Notices come in bursts: an editor writes, renames and changes rights. */
const quietMs = 100
const pollMs = 2000

export interface WatchedFolder {
  readonly path: string
  readonly isDocument: (name: string) => boolean
}

/** Watches until it is taken back. The folder may be missing, go and come. */
export function watchFolder({ path, isDocument }: WatchedFolder, clock: Clock, onChange: () => void): Cancel {
  let watcher: FSWatcher | undefined
  let watchedFolder = ''
  let seen: string | undefined
  let looking = false
  let lookAgain = false
  let stopped = false
  let cancelPoll: Cancel = () => {}
  let cancelQuiet: Cancel | undefined

  // The names are joined with their stamps; a folder that cannot be listed is a state like any other.
  const fingerprint = async (): Promise<string> => {
    const slices = makeFileSlices(clock)
    let text = ''
    try {
      for (const name of documentNames(path, isDocument)) {
        const stats = lookAt(join(path, name))
        text += `${name}\n${stats === undefined ? '-' : stampOf(stats, 0).text}\n`
        const pause = slices.pause()
        if (pause !== undefined) await pause
      }
    } catch {
      return 'unlistable'
    }
    return text
  }

  const look = async (): Promise<void> => {
    if (looking) {
      lookAgain = true
      return
    }
    looking = true
    do {
      lookAgain = false
      arm()
      const now = await fingerprint()
      if (stopped) return
      const changed = seen !== undefined && seen !== now
      seen = now
      if (changed) onChange()
    } while (lookAgain)
    looking = false
  }

  const onNotice = () => {
    cancelQuiet?.()
    cancelQuiet = clock.after(quietMs, () => {
      cancelQuiet = undefined
      void look()
    })
  }

  // A folder that was replaced under its name has another number, and the old watcher hears nothing more.
  const arm = () => {
    const folder = identityOf(path)
    if (folder === watchedFolder && (watcher !== undefined || folder === '')) return
    watcher?.close()
    watcher = undefined
    watchedFolder = folder
    if (folder === '' || stopped) return
    try {
      watcher = watch(path, { persistent: false }, onNotice)
      watcher.on('error', () => {
        watcher?.close()
        watcher = undefined
      })
    } catch {
      // The poll does the work alone.
    }
  }

  const poll = () => {
    cancelPoll = clock.after(pollMs, () => {
      void look()
      poll()
    })
  }

  void look()
  poll()
  return () => {
    stopped = true
    cancelPoll()
    cancelQuiet?.()
    watcher?.close()
  }
}

function identityOf(path: string): string {
  try {
    const { dev, ino } = statSync(path)
    return `${dev} ${ino}`
  } catch {
    return ''
  }
}
