/** `turnpike init --from`: writes a configuration for an existing installation and reports how its files fit. */
import { join } from 'node:path'
import { checkGateway } from '../check/check-gateway.ts'
import { type Finding, formatFinding } from '../config/finding.ts'
import { loadConfig } from '../config/load-config.ts'
import { type Installation, readInstallation, shortName } from '../init/from-installation.ts'
import { schemaReference } from '../init/schema-reference.ts'
import type { ProjectFile } from '../init/starter-project.ts'
import { writeProject } from '../init/write-files.ts'
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
  const read = readInstallation(from, io.environment)
  if ('problem' in read) {
    io.err(`error: ${read.problem}`)
    return exitCodes.wrongUse
  }
  const file: ProjectFile = {
    name: 'gateway.json',
    text: `${JSON.stringify({ $schema: schemaReference('gateway', folder), ...read.config }, null, 2)}\n`,
    about: `configuration, made from ${shortName(read)}`,
    isSecret: true,
  }
  const rejected = writeProject(folder, [file], io)
  if (rejected !== undefined) return rejected
  const loaded = loadConfig({ file: join(folder, 'gateway.json'), environment: io.environment, cwd: io.cwd })
  const checked = await checkGateway(loaded, io.environment, Date.now())
  const mustChange = [...dashboardFindings(read), ...checked.findings.filter(({ severity }) => severity === 'error')]
  const different = checked.findings.filter(({ severity }) => severity !== 'error')
  const name = commandName(io, folder)
  const report: Report = {
    folder,
    supported: { configuration_keys: read.keptKeys, definitions: checked.apis, policies: checked.policies },
    ...read,
    different,
    mustChange,
    next: [`${name} check`, `${name} start`],
  }
  if (options.json === true) io.out(JSON.stringify(wireReport(report), null, 2))
  else for (const line of reportLines(report, io)) io.out(line)
  return mustChange.length > 0 ? exitCodes.found : exitCodes.fine
}

interface Report extends Pick<Installation, 'file' | 'ignored' | 'changed' | 'config'> {
  readonly folder: string
  readonly supported: { readonly configuration_keys: number; readonly definitions: number; readonly policies: number }
  /** Warnings and notes of the check. */
  readonly different: readonly Finding[]
  readonly mustChange: readonly Finding[]
  readonly next: readonly string[]
}

/** Definitions in the database of a dashboard are not files, so no check can find them. */
function dashboardFindings({ file, config }: Installation): Finding[] {
  if (config['use_db_app_configs'] !== true) return []
  const reason = 'is true: definitions come from the database of a dashboard, which Turnpike does not read'
  const fix = 'export them to files in app_path, and set it to false'
  return [{ severity: 'error', source: file, field: 'use_db_app_configs', reason, fix }]
}

/** Without the configuration, which contains secrets. */
function wireReport({ folder, file, supported, changed, ignored, different, mustChange, next }: Report): object {
  return {
    folder,
    from: file,
    files: ['gateway.json'],
    supported,
    changed,
    ignored,
    different,
    must_change: mustChange,
    next,
  }
}

function reportLines({ folder, supported, changed, ignored, different, mustChange, next, ...read }: Report, io: Io) {
  const { configuration_keys: keys, definitions, policies } = supported
  const rows = (entries: Installation['ignored']) =>
    columns(entries.map(({ path, reason }) => [path, reason])).map((row) => `  ${row}`)
  const findings = (found: readonly Finding[]) => found.map((finding) => `  ${formatFinding(finding)}`)
  const section = (title: string, lines: readonly string[]) => (lines.length === 0 ? [] : ['', title, ...lines])
  return [
    `wrote ${join(folder, 'gateway.json')} from ${read.file}; nothing was copied`,
    '',
    `supported: ${count(keys, 'configuration key')}, ${count(definitions, 'definition')}, ${count(policies, 'policy', 'policies')}`,
    `  definitions stay in ${String(read.config['app_path'])}, where the management API writes them`,
    ...rows(changed),
    ...section(`ignored: ${count(ignored.length, 'configuration key')} left out`, rows(ignored)),
    ...section('works differently, or has no effect:', findings(different)),
    ...section('must change:', findings(mustChange)),
    '',
    'next:',
    ...(folder === io.cwd ? [] : [`  cd ${quoted(folder)}`]),
    ...next.map((command) => `  ${command}`),
  ]
}
