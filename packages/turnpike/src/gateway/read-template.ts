/** Reads template files that definitions name, for web hooks and body transforms. */
import { readFileSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import type { ReadTemplate } from '@turnpike/core/definition'
import type { GatewayConfig } from '../config/config-shape.ts'

/**
 * Returns a function that reads a template by name, relative to the configuration's folder, `template_path` or
 * `middleware_path`. Security: the management API can upload definitions, and template content is sent to clients and
 * web hooks. The function therefore reads only files below `template_path` and `middleware_path`, never the
 * configuration's folder itself, which contains secrets.
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
        // Try the next folder. The caller reports a template that no folder contains.
      }
    }
    return undefined
  }
}
