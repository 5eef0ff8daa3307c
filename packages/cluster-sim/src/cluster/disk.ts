/**
 * The definitions on the disk of a node. A read takes time, more on a slow disk, and returns the content at its start.
 */
import type { DefinitionSource, SourceSnapshot } from '@turnpike/core/definition'
import type { Millis } from '@turnpike/core/lib'
import type { Clock } from '@turnpike/core/ports'

export interface Disk extends DefinitionSource {
  /** Replaces what is on the disk. */
  write(files: SourceSnapshot): void
  /** Sets the duration of later reads. */
  setReadMs(ms: Millis): void
}

export function makeDisk(clock: Clock, first: SourceSnapshot, firstReadMs: Millis): Disk {
  let files = first
  let readMs = firstReadMs
  return {
    read() {
      const snapshot = files
      return new Promise((resolve) => clock.after(readMs, () => resolve(snapshot)))
    },
    write(next) {
      files = next
    },
    setReadMs(ms) {
      readMs = ms
    },
  }
}
