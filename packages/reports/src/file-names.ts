/** Converts names of files for readers that know the root of the repository, but not the current folder. */
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Folders } from './report.ts'

/** Returns the name relative to the root, with forward slashes. A file outside the root keeps its absolute name. */
export function nameFromRoot(file: string, { cwd, root }: Folders): string {
  const absolute = resolve(cwd, file)
  const name = relative(root, absolute)
  const isInside = name !== '' && name !== '..' && !name.startsWith(`..${sep}`) && !isAbsolute(name)
  return isInside ? name.replaceAll(sep, '/') : absolute
}

/** Returns a relative URI reference for a file inside the root, and a `file:` URI for any other. */
export function uriFromRoot(file: string, folders: Folders): string {
  const name = nameFromRoot(file, folders)
  if (isAbsolute(name)) return pathToFileURL(name).href
  return name.split('/').map(encodeURIComponent).join('/')
}
