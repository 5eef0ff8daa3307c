/** Templates from files, as definitions name them: of web hooks and of body transforms. */
import { readFileSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import type { ReadTemplate } from '@turnpike/core'
import type { GatewayConfig } from '../config/config-shape.ts'

/**
 * Reads a template by its name from the configuration's folder or from `template_path` or `middleware_path`. Definitions
 * come over the management API too, and what a template says is sent away; so only files below the latter two are
 * read, wherever a name leads: beside the configuration lie its secrets.
 */
export function makeReadTemplate(
  from: string,
  { templatePath, middlewarePath }: Pick<GatewayConfig, 'templatePath' | 'middlewarePath'>,
): ReadTemplate {
  const roots = [templatePath, middlewarePath].filter((folder) => folder !== '').map((folder) => resolve(folder))
  const isInside = (file: string) =>
    roots.some((root) => {
      const path = relative(root, file)
      return path !== '' && !path.startsWith('..') && !isAbsolute(path)
    })
  return (name) => {
    const files = isAbsolute(name) ? [name] : [from, ...roots].map((folder) => resolve(join(folder, name)))
    for (const file of files.filter(isInside)) {
      try {
        return readFileSync(file, 'utf8')
      } catch {
        // The next folder may have it; who asked tells that nobody has.
      }
    }
    return undefined
  }
}
