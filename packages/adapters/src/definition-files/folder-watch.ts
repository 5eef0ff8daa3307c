/**
 * Reports changes of documents in a folder. File system notifications give fast reports. Polling all file stamps
 * catches what they miss: a replaced folder, network disks, and an exhausted number of watches. A report needs a
 * document whose name or stamp changed, so temporary files of editors cause none. `definition-files.ts` watches its
 * folders with it; `turnpike start` then reloads (`start/reload-on-change.ts` of package turnpike).
 */
import { type FSWatcher, statSync, watch } from 'node:fs'
import { join } from 'node:path'
import type { Cancel, Clock } from '@turnpike/core/ports'
import { stampOf, statFile } from './file-stamp.ts'
import { documentNames } from './json-folder.ts'
import { makeTimeSlices } from './time-slices.ts'

/** Milliseconds to wait for further notifications: one save of an editor causes several. */
const debounceMs = 100
const pollMs = 2000

export interface WatchedFolder {
  readonly path: string
  readonly isDocument: (name: string) => boolean
}

/** Watches until the returned function is called. The folder may be missing, and be removed and created again. */
export function watchFolder(folder: WatchedFolder, clock: Clock, onChange: () => void): Cancel {
  const { path } = folder
  let watcher: FSWatcher | undefined
  let watchedIdentity = ''
  let lastFingerprint: string | undefined
  let checking = false
  let checkAgain = false
  let stopped = false
  let cancelPoll: Cancel = () => {}
  let cancelDebounce: Cancel | undefined

  const check = async (): Promise<void> => {
    if (checking) {
      checkAgain = true
      return
    }
    checking = true
    do {
      checkAgain = false
      watchAgainIfReplaced()
      const current = await fingerprintOf(folder, clock)
      if (stopped) return
      const changed = lastFingerprint !== undefined && lastFingerprint !== current
      lastFingerprint = current
      if (changed) onChange()
    } while (checkAgain)
    checking = false
  }

  const onNotification = () => {
    cancelDebounce?.()
    cancelDebounce = clock.after(debounceMs, () => {
      cancelDebounce = undefined
      void check()
    })
  }

  // A replaced folder has another inode, and the old watcher receives no more notifications.
  const watchAgainIfReplaced = () => {
    const identity = identityOf(path)
    if (identity === watchedIdentity && (watcher !== undefined || identity === '')) return
    watcher?.close()
    watcher = undefined
    watchedIdentity = identity
    if (identity === '' || stopped) return
    try {
      watcher = watch(path, { persistent: false }, onNotification)
      watcher.on('error', () => {
        watcher?.close()
        watcher = undefined
      })
    } catch {
      // Polling still detects changes.
    }
  }

  const poll = () => {
    cancelPoll = clock.after(pollMs, () => {
      void check()
      poll()
    })
  }

  void check()
  poll()
  return () => {
    stopped = true
    cancelPoll()
    cancelDebounce?.()
    watcher?.close()
  }
}

/** Joins all names and stamps. A folder that cannot be listed has a fingerprint of its own. */
async function fingerprintOf({ path, isDocument }: WatchedFolder, clock: Clock): Promise<string> {
  const slices = makeTimeSlices(clock)
  let text = ''
  try {
    for (const name of documentNames(path, isDocument)) {
      const stats = statFile(join(path, name))
      text += `${name}\n${stats === undefined ? '-' : stampOf(stats, 0).text}\n`
      const pause = slices.next()
      if (pause !== undefined) await pause
    }
  } catch {
    return 'unlistable'
  }
  return text
}

function identityOf(path: string): string {
  try {
    const { dev, ino } = statSync(path)
    return `${dev} ${ino}`
  } catch {
    return ''
  }
}
