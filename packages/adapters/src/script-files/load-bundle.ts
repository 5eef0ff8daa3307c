/**
 * Bundles: a ZIP file with `manifest.json` and the files that it lists. A bundle is unpacked once, to a folder of its
 * name; its checksum is verified at every load, so that a damaged folder is fetched again.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type CustomMiddleware,
  customMiddlewareShape,
  type Fetch,
  isJson,
  readShape,
  type ScriptBundle,
} from '@turnpike/core'
import { unzip } from './unzip.ts'

export interface BundleOptions {
  /** URL (`http`, `https`, `file`) or folder to which the name of a bundle is appended. */
  readonly baseUrl: string
  /** Folder in which bundles are unpacked. */
  readonly folder: string
  /** Do not verify the certificate of the server. */
  readonly insecure: boolean
  readonly fetch: Pick<Fetch, 'get'>
}

interface Manifest {
  readonly files: readonly string[]
  readonly checksum: string
  readonly scripts: CustomMiddleware
}

/** Returns the text of a file of the bundle; throws if it is missing. */
type ReadEntry = (name: string) => Uint8Array | Promise<Uint8Array>

export async function loadBundle(name: string, options: BundleOptions): Promise<ScriptBundle> {
  if (options.baseUrl === '') return { kind: 'failed', problem: 'bundle_base_url is not set' }
  const folder = join(options.folder, 'bundles', md5(name))
  const unpacked = await verify((entry) => readFile(join(folder, entry))).catch(() => undefined)
  if (unpacked !== undefined) return { kind: 'bundle', folder, scripts: unpacked.scripts }
  try {
    const entries = unzip(await fetchBundle(options, name))
    const manifest = await verify((entry) => entryOf(entries, entry))
    await unpack(folder, manifest, entries)
    return { kind: 'bundle', folder, scripts: manifest.scripts }
  } catch (problem) {
    return { kind: 'failed', problem: `the bundle ${name} cannot be loaded: ${(problem as Error).message}` }
  }
}

/** Reads the manifest and compares the checksum of the files that it lists. */
async function verify(read: ReadEntry): Promise<Manifest> {
  const manifest = readManifest(new TextDecoder().decode(await read('manifest.json')))
  const hash = createHash('md5')
  for (const file of manifest.files) hash.update(await read(safeName(file)))
  if (hash.digest('hex') !== manifest.checksum) throw new Error('its checksum is wrong')
  return manifest
}

function readManifest(text: string): Manifest {
  const json: unknown = JSON.parse(text)
  if (!isJson(json)) throw new Error('manifest.json must be an object')
  const { file_list: list, checksum, custom_middleware: given } = json
  const read = readShape(customMiddlewareShape, given)
  if (!read.readable) throw new Error('custom_middleware in manifest.json is not valid')
  if (typeof checksum !== 'string') throw new Error('manifest.json has no checksum')
  const files = Array.isArray(list) ? list.filter((file) => typeof file === 'string') : []
  return { files, checksum: checksum.toLowerCase(), scripts: read.value }
}

/** A name that stays inside of the bundle's folder. */
function safeName(name: string): string {
  const root = resolve(sep, 'bundle')
  if (!resolve(root, name).startsWith(root + sep)) throw new Error(`${name} is outside of the bundle`)
  return name
}

function entryOf(entries: ReadonlyMap<string, Uint8Array>, name: string): Uint8Array {
  const bytes = entries.get(name)
  if (bytes === undefined) throw new Error(`${name} is missing`)
  return bytes
}

/** Replaces the folder by a complete one, so that a failure leaves no half of a bundle. */
async function unpack(folder: string, { files }: Manifest, entries: ReadonlyMap<string, Uint8Array>): Promise<void> {
  const temporary = `${folder}.${process.pid}.new`
  await rm(temporary, { recursive: true, force: true })
  for (const name of ['manifest.json', ...files.map(safeName)]) {
    const file = join(temporary, name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, entryOf(entries, name))
  }
  await rm(folder, { recursive: true, force: true })
  await rename(temporary, folder)
}

async function fetchBundle({ baseUrl, insecure, fetch }: BundleOptions, name: string): Promise<Uint8Array> {
  const url = `${baseUrl}${baseUrl.endsWith('/') ? '' : '/'}${name}`
  if (url.startsWith('file:')) return await readFile(fileURLToPath(url))
  if (!/^https?:/.test(url)) throw new Error('bundle_base_url must begin with http:, https: or file:')
  const { status, body } = await fetch.get(url, { insecure })
  if (status !== 200) throw new Error(`its server responded with ${status}`)
  return body
}

/** The folder name of existing gateways; the hash is no security measure. */
function md5(text: string): string {
  return createHash('md5').update(text).digest('hex')
}
