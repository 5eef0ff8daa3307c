/** Functions on paths with slashes. The variants for files of the system are the same, because servers run on POSIX. */
import { type FunctionTable, onText } from '../function-table.ts'

/** The shortest equivalent path: without `.`, empty segments and resolved `..`. */
export function cleanPath(path: string): string {
  const rooted = path.startsWith('/')
  const kept: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment !== '..') kept.push(segment)
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop()
    else if (!rooted) kept.push(segment)
  }
  const joined = kept.join('/')
  return rooted ? `/${joined}` : joined || '.'
}

function base(path: string): string {
  if (path === '') return '.'
  const end = path.length - (path.match(/(?<!\/)\/+$/)?.[0].length ?? 0)
  return end === 0 ? '/' : path.slice(path.lastIndexOf('/', end - 1) + 1, end)
}

function ext(path: string): string {
  const last = path.slice(path.lastIndexOf('/') + 1)
  const dot = last.lastIndexOf('.')
  return dot === -1 ? '' : last.slice(dot)
}

const functions = {
  base: onText(base),
  dir: onText((path) => cleanPath(path.slice(0, path.lastIndexOf('/') + 1))),
  clean: onText(cleanPath),
  ext: onText(ext),
  isAbs: onText((path) => path.startsWith('/')),
}

export const pathFunctions: FunctionTable = {
  ...functions,
  osBase: functions.base,
  osDir: functions.dir,
  osClean: functions.clean,
  osExt: functions.ext,
  osIsAbs: functions.isAbs,
}
