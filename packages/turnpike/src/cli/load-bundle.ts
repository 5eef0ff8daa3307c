/**
 * Loads what `scripts/bundle.mjs` made of everything that a start runs: one script, and beside it the code that V8 had
 * compiled of it by the time a gateway had answered. Compiling is what a start spends most of its time on; see
 * docs/decisions/0008-start.md. A cache that is missing, damaged, or made by another V8 only costs that time.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import { crc32 } from 'node:zlib'

/** What the script gives; the same that its modules export. */
interface Exports {
  readonly main: typeof import('./main.ts').main
  readonly processIo: typeof import('./process-io.ts').processIo
}

export interface Bundle extends Exports {
  /** Whether compiled code was taken from the cache. */
  readonly usesCache: boolean
  /** Content for the file at `cachePath`: what V8 has compiled up to now. */
  makeCache(): Uint8Array
}

type Evaluate = (
  module: { exports?: Exports },
  require: NodeJS.Require,
  bundleFolder: string,
  importFromBundle: (specifier: string) => Promise<unknown>,
) => void

/** Loads the bundle in a folder and evaluates its modules. Throws when there is none. */
export function loadBundle(folder: string): Bundle {
  const filename = join(folder, 'start.js')
  // esbuild writes ASCII alone; as Latin-1 such a text is kept outside of the heap.
  const source = readFileSync(filename)
  const cachedData = readCache(cachePath(folder), source)
  const script = new Script(source.toString('latin1'), {
    filename,
    ...(cachedData === undefined ? {} : { cachedData }),
  })
  const module: { exports?: Exports } = {}
  const here = pathToFileURL(filename)
  const evaluate = script.runInThisContext() as Evaluate
  evaluate(
    module,
    createRequire(filename),
    folder,
    (specifier) => import(specifier.startsWith('.') ? new URL(specifier, here).href : specifier),
  )
  const { main, processIo } = module.exports as Exports
  return {
    main,
    processIo,
    usesCache: cachedData !== undefined && script.cachedDataRejected !== true,
    makeCache() {
      const code = script.createCachedData()
      return Buffer.concat([headOf(source, code), code])
    },
  }
}

/** Each version of V8 has a cache of its own. */
export function cachePath(folder: string): string {
  return join(folder, `start.${process.versions.v8}-${process.platform}-${process.arch}.cache`)
}

const headBytes = 8
const idBytes = 64

/** V8 itself looks at the length of the source alone, and not at whether the code is whole. */
function headOf(source: Uint8Array, code: Uint8Array): Buffer {
  // The source ends with a hash of itself, so that its end tells it from others.
  const head = Buffer.alloc(headBytes)
  head.writeUInt32LE(crc32(source.subarray(-idBytes)), 0)
  head.writeUInt32LE(crc32(code), 4)
  return head
}

/** The compiled code of this very source; `undefined`: there is none that can be used. */
function readCache(path: string, source: Uint8Array): Buffer | undefined {
  let cache: Buffer
  try {
    cache = readFileSync(path)
  } catch {
    return undefined
  }
  const code = cache.subarray(headBytes)
  return headOf(source, code).equals(cache.subarray(0, headBytes)) ? code : undefined
}
