/** `turnpike init --from`: writes a configuration for an existing installation and reports how its files fit. */
import { join, relative } from 'node:path'
import { makeNote, placeNote } from '@turnpike/core/definition'
import { checkGateway } from '../check/check-gateway.ts'
import { type Finding, formatFinding, isQuiet } from '../config/finding.ts'
import { loadConfig } from '../config/load-config.ts'
import { readKeys } from '../formats/read-keys.ts'
import { schemaReference } from '../init/schema-reference.ts'
import type { ProjectFile } from '../init/starter-project.ts'
import { writeProject } from '../init/write-files.ts'
import { type Installation, readInstallation, shortName } from '../installation/read-installation.ts'
import { count } from '../start/reload-lines.ts'
import { columns } from '../terminal/columns.ts'
import { commandName, quoted } from '../terminal/command-name.ts'
import { type ExitCode, exitCodes, type Io } from '../terminal/io.ts'

/** `folder` and `from` are absolute. Exits with 1 if something must change before requests are served as before. */
export async function initFromCommand(
  folder: string,
  from: string,
  options: { readonly json?: boolean },
  io: Io,
): Promise<ExitCode> {
  const schemas = {
    classic: schemaReference('classic-api', join(folder, 'apps')),
    document: schemaReference('openapi-extension', join(folder, 'apps')),
  }
  const read = await readInstallation(from, { environment: io.environment, schemas })
  if ('problem' in read) {
    io.err(`error: ${read.problem}`)
    return exitCodes.wrongUse
  }
  const rejected = writeProject(folder, filesOf(read, folder), io)
  if (rejected !== undefined) return rejected
  const loaded = loadConfig({ file: join(folder, 'gateway.json'), environment: io.environment, cwd: io.cwd })
  const checked = await checkGateway(loaded, io.environment, Date.now())
  const mustChange = [...dashboardFindings(read), ...checked.findings.filter(({ severity }) => severity === 'error')]
  const mild = checked.findings.filter((finding) => finding.severity !== 'error' && !isQuiet(finding))
  const different = [...read.notes, ...mild]
  const name = commandName(io, folder)
  const keyCount = read.keys === undefined ? 0 : readKeys(read.keys).keys.length
  const keys = read.keys === undefined ? [] : [`${name} keys import ${quoted(read.keys)}`]
  const report: Report = {
    folder,
    supported: {
      ...{ configuration_keys: read.keptKeys, definitions: checked.apis, policies: checked.policies, keys: keyCount },
    },
    ...read,
    different,
    mustChange,
    next: [`${name} check`, `${name} start`, ...keys],
  }
  if (options.json === true) io.out(JSON.stringify(wireReport(report), null, 2))
  else for (const line of reportLines(report, io)) io.out(line)
  return mustChange.length > 0 ? exitCodes.found : exitCodes.fine
}

function filesOf(read: Installation, folder: string): ProjectFile[] {
  const configuration: ProjectFile = {
    name: 'gateway.json',
    text: `${JSON.stringify({ $schema: schemaReference('gateway', folder), ...read.config }, null, 2)}\n`,
    about: `configuration, made from ${shortName(read)}`,
    isSecret: true,
  }
  const converted = read.files.map(({ name, text, source }) => ({ name, text, about: source, isSecret: false }))
  return [configuration, ...converted]
}

type Parts = 'file' | 'files' | 'ignored' | 'changed' | 'config' | 'folders' | 'variables' | 'leftOut'

interface Report extends Pick<Installation, Parts> {
  readonly folder: string
  readonly supported: Readonly<Record<'configuration_keys' | 'definitions' | 'policies' | 'keys', number>>
  /** Warnings and notes of the check. */
  readonly different: readonly Finding[]
  readonly mustChange: readonly Finding[]
  readonly next: readonly string[]
}

/** Definitions in the database of a dashboard are not files, so no check can find them. */
function dashboardFindings({ file, config }: Installation): Finding[] {
  if (config['use_db_app_configs'] !== true) return []
  return [placeNote(makeNote('definitions-in-database', ['use_db_app_configs']), file, undefined)]
}

/** Without the configuration, which contains secrets. */
function wireReport({ config: _, files, leftOut, mustChange, file: from, ...report }: Report): object {
  const { folder, supported, changed, ignored, folders, variables, different, next } = report
  const names = ['gateway.json', ...files.map(({ name }) => name)]
  return {
    ...{ folder, from, files: names, supported, changed, ignored, folders, variables },
    ...{ left_out: leftOut, different, must_change: mustChange, next },
  }
}

function reportLines(report: Report, io: Io): string[] {
  const { folder, supported, changed, ignored, folders, variables, different, mustChange, next, files, leftOut } =
    report
  const { configuration_keys: keys, definitions, policies } = supported
  const rows = (entries: Installation['ignored']) =>
    columns(entries.map(({ path, reason }) => [path, reason])).map((row) => `  ${row}`)
  const findings = (found: readonly Finding[]) => found.map((finding) => `  ${formatFinding(finding)}`)
  const section = (title: string, lines: readonly string[]) => (lines.length === 0 ? [] : ['', title, ...lines])
  const ofKeys = supported.keys === 0 ? '' : `, ${count(supported.keys, 'key')}`
  const left = leftOut.map(({ source, reason }) => ({ path: relative(io.cwd, source) || source, reason }))
  const written = files.length === 0 ? 'nothing was copied' : `${count(files.length, 'file')} written beside it`
  const where = String(report.config['app_path'])
  return [
    `wrote ${join(folder, 'gateway.json')} from ${report.file}; ${written}`,
    '',
    `supported: ${count(keys, 'configuration key')}, ${count(definitions, 'definition')}, ${count(policies, 'policy', 'policies')}${ofKeys}`,
    ...(files.length === 0 ? [`  definitions stay in ${where}, where the management API writes them`] : []),
    ...rows(changed),
    ...section('folders that replace paths of the container:', rows(folders)),
    ...section('variables of the Compose file:', rows(variables)),
    ...section(
      'written:',
      files
        .filter(({ name }) => !name.endsWith('.keep'))
        .map(({ name, source }) => `  ${name}  from ${relative(io.cwd, source) || source}`),
    ),
    ...section(
      `ignored: ${count(ignored.length, 'configuration key')} left out`,
      ignored.length === 0 ? [] : rows(ignored),
    ),
    ...section('not taken over:', rows(left)),
    ...section('works differently, or has no effect:', findings(different)),
    ...section('must change:', findings(mustChange)),
    '',
    'next:',
    ...(folder === io.cwd ? [] : [`  cd ${quoted(folder)}`]),
    ...next.map((command) => `  ${command}`),
  ]
}
