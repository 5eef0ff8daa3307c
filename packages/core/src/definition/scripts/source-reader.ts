/** Collects the sources of a scope in their order, and what could not be read. */

import type { ScriptProblem, ScriptSource } from '../../lib/script-source.ts'
import { decodeBase64 } from '../../lib/text/base64.ts'
import { utf8Text } from '../../lib/text/utf8.ts'
import type { ExtendedPaths } from '../version-shape.ts'
import type { ScriptFiles } from './script-files.ts'

type ScriptedEndpoint = NonNullable<ExtendedPaths['virtual']>[number]

/** Names of script files; others are ignored. TypeScript is ours. */
export function isScriptFile(path: string): boolean {
  return path.endsWith('.js') || path.endsWith('.ts')
}

export class SourceReader {
  readonly sources: ScriptSource[] = []
  readonly unread: ScriptProblem[] = []
  private readonly files: Pick<ScriptFiles, 'read'>
  private readonly texts = new Map<string, Promise<string | undefined>>()

  constructor(files: Pick<ScriptFiles, 'read'>) {
    this.files = files
  }

  async addFile(path: string): Promise<void> {
    const text = this.texts.get(path) ?? this.files.read(path)
    this.texts.set(path, text)
    this.add(path, await text, 'the file cannot be read')
  }

  /** A file that an entry of a stage names. */
  async addEntry(path: string): Promise<void> {
    if (isScriptFile(path)) await this.addFile(path)
    else this.unread.push({ source: path, message: 'is ignored, because its name ends in neither .js nor .ts' })
  }

  async addEndpoint(rule: ScriptedEndpoint, allowsBlobs: boolean): Promise<void> {
    const { functionSourceType: type, functionSourceUri: uri } = rule
    if (type === 'file') {
      await this.addFile(uri)
      return
    }
    const name = `scripted endpoint ${rule.method} ${rule.path}`
    if (type !== 'blob') {
      this.unread.push({ source: name, message: `function_source_type "${type}" is neither "file" nor "blob"` })
    } else if (!allowsBlobs) {
      this.unread.push({ source: name, message: 'is not read, because disable_virtual_path_blobs is true' })
    } else {
      const bytes = decodeBase64(uri)
      this.add(name, bytes === undefined ? undefined : utf8Text(bytes), 'function_source_uri is not valid base64')
    }
  }

  /** Rules next to each other often name one file, which is then read into the scope once. */
  private add(name: string, text: string | undefined, problem: string): void {
    if (text === undefined) {
      if (!this.unread.some(({ source }) => source === name)) this.unread.push({ source: name, message: problem })
      return
    }
    const last = this.sources.at(-1)
    if (last?.name !== name || last.text !== text) this.sources.push({ name, text })
  }
}
