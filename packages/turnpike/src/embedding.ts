/**
 * The entry `turnpike/embedding`, for tools such as @turnpike/dev that run a user's gateway in their own process: it
 * loads configurations, opens gateways with custom ports, seeds keys, and parses command lines.
 */
import { fileURLToPath } from 'node:url'

export { checkGateway } from './check/check-gateway.ts'
export { inFolder } from './check/folder-configuration.ts'
export { codeOfInvalidConfig, configErrors, findMissingConfig } from './cli/config-problem.ts'
export { numberThat, wholeBetween } from './cli/option-values.ts'
export {
  argumentBeforeEnvironment,
  confOption,
  gather,
  runProgram,
  type Settle,
  subcommand,
  withReports,
} from './cli/program.ts'
export { makeTestIo } from './cli/test-io.ts'
export type { Environment } from './config/environment.ts'
export { type Finding, formatFinding, hasErrors } from './config/finding.ts'
export { findFolderProblem } from './config/folder-problem.ts'
export { type LoadedConfig, loadConfig } from './config/load-config.ts'
export { toSettings } from './config/to-settings.ts'
export { toSession } from './gateway/convert-documents.ts'
export type { SessionDocument } from './gateway/document-types.ts'
export type { Gateway } from './gateway/gateway.ts'
export { openGateway } from './gateway/open-gateway.ts'
export { makeReadTemplate } from './gateway/read-template.ts'
export { makeSecretLookup } from './gateway/secret-lookup.ts'
export { count } from './start/reload-lines.ts'
export { readSeed, type Seed, seedKeys } from './start/seed.ts'
export { columns } from './terminal/columns.ts'
export { type ExitCode, exitCodes, type Io } from './terminal/io.ts'
export { version } from './version.ts'

/** The file of the `turnpike` command. */
export const commandFile = fileURLToPath(new URL('../bin/turnpike.js', import.meta.url))
