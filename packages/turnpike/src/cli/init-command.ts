/** `turnpike init`: writes the files of a new gateway and prints the commands to run next. */

import { randomBytes } from 'node:crypto'
import { join, relative, resolve } from 'node:path'
import { checkGateway } from '../check/check-gateway.ts'
import { formatFinding } from '../config/finding.ts'
import { loadConfig } from '../config/load-config.ts'
import { chooseUpstream } from '../import/choose-upstream.ts'
import { type ConvertedApi, convertOpenApi } from '../import/convert-openapi.ts'
import { readOpenApi } from '../import/read-openapi.ts'
import { type ProjectFile, starterOrg, starterProject } from '../init/starter-project.ts'
import { folderProblem, writeProject } from '../init/write-files.ts'
import { columns } from '../terminal/columns.ts'
import { commandName, quoted } from '../terminal/command-name.ts'
import { type ExitCode, exitCodes, type Io } from '../terminal/io.ts'
import { initFromCommand } from './init-from-command.ts'

export interface InitOptions {
  /** File or URL of an OpenAPI document. */
  readonly openapi?: string
  /** URL of the upstream, for `openapi`. */
  readonly target?: string
  /** Responds with examples, for `openapi`. */
  readonly mock?: boolean
  /** Folder or configuration file of an installation of the original gateway. */
  readonly from?: string
  readonly json?: boolean
}

export async function initCommand(given: string | undefined, options: InitOptions, io: Io): Promise<ExitCode> {
  const folder = resolve(io.cwd, given ?? '.')
  const problem = folderProblem(folder) ?? optionProblem(options)
  if (problem !== undefined) {
    io.err(`error: ${problem}`)
    return exitCodes.wrongUse
  }
  if (options.from !== undefined) {
    return initFromCommand(folder, resolve(io.cwd, options.from), options, io)
  }
  const made = options.openapi === undefined ? { lines: [] } : await apiOf(options.openapi, options, io)
  if ('problem' in made) {
    io.err(`error: ${options.openapi}: ${made.problem}`)
    return made.notFound ? exitCodes.wrongUse : exitCodes.found
  }
  const secrets = { secret: random(32), adminSecret: random(32), key: `starter-${randomBytes(12).toString('hex')}` }
  const project = starterProject(folder, secrets, made.api)
  const rejected = writeProject(folder, project.files, io)
  if (rejected !== undefined) return rejected
  const name = commandName(io, folder)
  const fill = (command: string) =>
    command.replaceAll('{{url}}', 'http://127.0.0.1:8080').replaceAll('{{turnpike}}', name).replaceAll('{{target}}', '')
  const next = [`${name} start`, fill(project.tour.reject), fill(project.tour.explain)]
  if (options.json === true) {
    const files = project.files.map((file) => file.name)
    io.out(JSON.stringify({ folder, files, notes: made.lines, next }, null, 2))
  } else printProject(folder, project.files, made.lines, next, io)
  return await checkWritten(folder, io)
}

/** Checks what was written, as `turnpike check` does. */
async function checkWritten(folder: string, io: Io): Promise<ExitCode> {
  const loaded = loadConfig({ file: join(folder, 'gateway.json'), environment: io.environment, cwd: io.cwd })
  const { findings } = await checkGateway(loaded, io.environment, Date.now())
  const serious = findings.filter(({ severity }) => severity !== 'note')
  for (const finding of serious) io.err(formatFinding(finding))
  return serious.some(({ severity }) => severity === 'error') ? exitCodes.found : exitCodes.fine
}

function optionProblem({ openapi, target, mock, from }: InitOptions): string | undefined {
  if (openapi !== undefined && from !== undefined) return 'name --openapi or --from, not both'
  if (openapi !== undefined) return undefined
  if (target !== undefined) return '--target needs --openapi FILE'
  return mock === true ? '--mock needs --openapi FILE' : undefined
}

type MadeApi =
  | { readonly api?: ConvertedApi; readonly lines: readonly string[] }
  | { readonly problem: string; readonly notFound: boolean }

async function apiOf(source: string, options: InitOptions, io: Io): Promise<MadeApi> {
  const read = await readOpenApi(source, io.cwd)
  if (read.problem !== undefined) return read
  const { target, mock, lines } = await chooseUpstream(read.document, options)
  const naming = { auth: 'key', orgId: starterOrg, vendor: 'svc' } as const
  const converted = await convertOpenApi(read.document, { source, target, mock, ...naming })
  if (converted.problem !== undefined) return { problem: converted.problem, notFound: false }
  return { api: converted.api, lines }
}

function printProject(
  folder: string,
  files: readonly ProjectFile[],
  notes: readonly string[],
  [start = '', reject = '', explain = '']: readonly string[],
  io: Io,
): void {
  const where = relative(io.cwd, folder)
  io.out(`created a gateway in ${folder}`)
  for (const row of columns(files.map(({ name, about }) => [name, about]))) io.out(`  ${row}`)
  for (const note of notes) io.out(`  ${note}`)
  if (where !== '') io.out(`\n  cd ${quoted(where)}`)
  io.out('\nsend requests until the policy rejects one, and see why (nothing needs to run for this):')
  io.out(`  ${explain}`)
  io.out('\nstart the gateway:')
  io.out(`  ${start}`)
  io.out('\nin another terminal, send more requests than the policy allows:')
  io.out(`  ${reject}`)
}

function random(bytes: number): string {
  return randomBytes(bytes).toString('base64url')
}
