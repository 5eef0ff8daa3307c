/**
 * The definitions on the disk of a node. A read takes time, more on a slow disk, and returns the content at its start.
 */
import type { Clock, DefinitionSource, Millis, SourceDocument, SourceSnapshot } from '@turnpike/core'

/** Classic documents by api id; policies by id. */
export interface Files {
  readonly definitions: Readonly<Record<string, object>>
  readonly policies: Readonly<Record<string, object>>
}

export interface Disk extends DefinitionSource {
  /** Replaces what is on the disk. */
  write(files: Files): void
  /** Sets the duration of later reads. */
  setReadMs(ms: Millis): void
}

export function makeDisk(clock: Clock, first: Files, firstReadMs: Millis): Disk {
  let files = first
  let readMs = firstReadMs
  return {
    read() {
      const snapshot = snapshotOf(files)
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

function snapshotOf({ definitions, policies }: Files): SourceSnapshot {
  const hasPolicies = Object.keys(policies).length > 0
  return {
    definitions: Object.entries(definitions).map(([id, content]) => documentOf(`${id}.json`, content)),
    definitionsProblem: undefined,
    policies: hasPolicies ? { kind: 'map', document: documentOf('policies.json', policies) } : { kind: 'none' },
  }
}

function documentOf(name: string, content: object): SourceDocument {
  const text = JSON.stringify(content)
  return { name, hash: text, text, problem: undefined }
}
