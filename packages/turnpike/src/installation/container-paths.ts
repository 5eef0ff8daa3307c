/** Paths of the original gateway's container image, and the files and folders of this machine that replace them. */
import { existsSync, readdirSync } from 'node:fs'
import { basename, isAbsolute, join, resolve } from 'node:path'
import type { Mount } from '../formats/compose-file.ts'

/** The working directory of the image, below which its configuration, definitions and scripts are. */
export const imageFolder = '/opt/tyk-gateway'

export interface PathMap {
  /** Returns the path on this machine; the path itself if nothing replaces it. */
  of(path: string): string
  /** The files and folders that `of` returned in place of a path, in the order of the calls. */
  readonly replaced: ReadonlyMap<string, string>
}

/** `folder`: that of the configuration file. */
export function makePathMap(folder: string, mounts: readonly Mount[]): PathMap {
  const replaced = new Map<string, string>()
  const byLength = [...mounts].sort((a, b) => b.container.length - a.container.length)
  const find = (path: string): string => {
    if (!isAbsolute(path)) {
      const beside = resolve(folder, path)
      if (existsSync(beside)) return beside
      const inImage = mounted(resolve(imageFolder, path), byLength)
      return inImage !== undefined && existsSync(inImage) ? inImage : beside
    }
    const target = mounted(path, byLength)
    if (target !== undefined && existsSync(target)) return target
    if (existsSync(path)) return path
    return besideOf(path, folder) ?? target ?? path
  }
  return {
    replaced,
    of(path) {
      const plain = path === '/' ? path : path.replace(/(?<!\/)\/+$/, '')
      const found = find(plain)
      if (isAbsolute(path) && found !== plain && existsSync(found)) replaced.set(plain, found)
      return found
    },
  }
}

function mounted(path: string, mounts: readonly Mount[]): string | undefined {
  for (const { container, host } of mounts) {
    if (path === container) return host
    if (path.startsWith(`${container}/`)) return join(host, path.slice(container.length))
  }
  return undefined
}

/**
 * `/opt/tyk-gateway/X` is `X` beside the configuration, beside its folder, or in a folder there; so is the last part of
 * another path.
 */
function besideOf(path: string, folder: string): string | undefined {
  const inside = path.startsWith(`${imageFolder}/`) ? path.slice(imageFolder.length + 1) : undefined
  const names = [inside, basename(path)].flatMap((name) => (name === undefined || name === '' ? [] : [name]))
  const parents = [folder, join(folder, '..'), ...foldersIn(folder)]
  const candidates = names.flatMap((name) => parents.map((parent) => join(parent, name)))
  return candidates.find((candidate) => existsSync(candidate))
}

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => join(folder, name))
  } catch {
    return []
  }
}
