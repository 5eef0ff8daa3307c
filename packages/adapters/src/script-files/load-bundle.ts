/**
 * Bundles: a ZIP file with `manifest.json` and the files that it lists. A bundle is unpacked once, to a folder of its
 * name; its checksum and signature are verified at every load, so that a changed folder is fetched again.
 */
import { createHash, createVerify, hash, type KeyObject } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CustomMiddleware, customMiddlewareShape, type ScriptBundle } from '@turnpike/core/definition'
import { isJson, readShape } from '@turnpike/core/lib'
import type { Fetch } from '@turnpike/core/ports'
import { unzip } from './unzip.ts'

export interface BundleOptions {
  /** URL (`http`, `https`, `file`) to which the name of a bundle is appended. */
  readonly baseUrl: string
  /** Folder in which bundles are unpacked. */
  readonly folder: string
  /** Do not verify the certificate of the server. */
  readonly insecure: boolean
  /** Key that must have signed the bundles; `undefined`: signatures are not verified. */
  readonly publicKey: KeyObject | undefined
  readonly fetch: Pick<Fetch, 'get'>
}

interface Manifest {
  readonly files: readonly string[]
  readonly checksum: string
  /** Base64; empty: the bundle is not signed. */
  readonly signature: string
  readonly scripts: CustomMiddleware
}

/** Returns the text of a file of the bundle; throws if it is missing. */
type ReadEntry = (name: string) => Uint8Array | Promise<Uint8Array>

export async function loadBundle(name: string, options: BundleOptions): Promise<ScriptBundle> {
  if (options.baseUrl === '') return { kind: 'failed', problem: 'bundle_base_url is not set' }
  // The folder name of original gateways; the hash is no security measure.
  const folder = join(options.folder, 'bundles', hash('md5', name))
  const unpacked = await verify((entry) => readFile(join(folder, entry)), options).catch(() => undefined)
  if (unpacked !== undefined) return { kind: 'bundle', folder, scripts: unpacked.scripts }
  try {
    const entries = unzip(await fetchBundle(options, name))
    const manifest = await verify((entry) => entryOf(entries, entry), options)
    await unpack(folder, manifest, entries)
    return { kind: 'bundle', folder, scripts: manifest.scripts }
  } catch (problem) {
    return { kind: 'failed', problem: `the bundle ${name} cannot be loaded: ${(problem as Error).message}` }
  }
}

/** Reads the manifest and verifies checksum and signature of the files that it lists. */
async function verify(read: ReadEntry, { publicKey }: Pick<BundleOptions, 'publicKey'>): Promise<Manifest> {
  const manifest = readManifest(new TextDecoder().decode(await read('manifest.json')))
  const checksum = createHash('md5')
  const verifier = publicKey === undefined ? undefined : createVerify('RSA-SHA256')
  for (const file of manifest.files) {
    const bytes = await read(safeName(file))
    checksum.update(bytes)
    verifier?.update(bytes)
  }
  if (checksum.digest('hex') !== manifest.checksum) throw new Error('its checksum is wrong')
  if (publicKey === undefined || verifier === undefined) return manifest
  const { signature } = manifest
  if (signature === '') throw new Error('it has no signature, which the configuration demands with public_key_path')
  if (!verifier.verify(publicKey, signature, 'base64')) {
    throw new Error('its signature is wrong: the key in public_key_path did not sign it')
  }
  return manifest
}

function readManifest(text: string): Manifest {
  const json: unknown = JSON.parse(text)
  if (!isJson(json)) throw new Error('manifest.json must be an object')
  const { file_list: list, checksum, signature, custom_middleware: given } = json
  const read = readShape(customMiddlewareShape, given)
  if (!read.readable) throw new Error('custom_middleware in manifest.json is not valid')
  if (typeof checksum !== 'string') throw new Error('manifest.json has no checksum')
  const files = Array.isArray(list) ? list.filter((file) => typeof file === 'string') : []
  const signed = typeof signature === 'string' ? signature : ''
  return { files, checksum: checksum.toLowerCase(), signature: signed, scripts: read.value }
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
