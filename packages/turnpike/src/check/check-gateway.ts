/** Checks a gateway without starting it: configuration, definitions, policies and seed file. */

import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { isSidecarName, makeNote, placeNote } from '@turnpike/core/definition'
import { withoutAllowed } from '../config/allowed-findings.ts'
import { clientAddressesOf } from '../config/check-switches.ts'
import type { Environment } from '../config/environment.ts'
import type { Finding } from '../config/finding.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { portRulesOf } from '../config/port-rules.ts'
import { makeReadTemplate } from '../gateway/read-template.ts'
import { makeSecretLookup } from '../gateway/secret-lookup.ts'
import { checkApiPorts } from './check-api-ports.ts'
import { type CheckOptions, checkDefinitions } from './check-definitions.ts'
import { checkPolicies } from './check-policies.ts'
import { checkReferences } from './check-references.ts'
import { checkScripts } from './check-scripts.ts'
import { checkSeed } from './check-seed.ts'
import { folderFinding, isLikeOriginal, missingFileFinding } from './folder-finding.ts'
import { findForeignFiles } from './foreign-files.ts'
import { definitionsOf, readFolder, readOne } from './read-folder.ts'

export interface CheckReport {
  /** How many findings the configuration allows, which are left out. */
  readonly silenced: number
  readonly findings: readonly Finding[]
  readonly apis: number
  readonly policies: number
  /** The files that were read, without those of scripts and templates. */
  readonly files: readonly string[]
}

/** `now` is in milliseconds; expired versions are reported. */
export async function checkGateway(
  loaded: LoadedConfig,
  environment: Environment,
  now: number,
  files: FilesToCheck = filesOf(loaded),
): Promise<CheckReport> {
  const { config } = loaded
  const configFolder = loaded.file === undefined ? process.cwd() : dirname(loaded.file)
  const findings: Finding[] = [...loaded.findings]
  const options: CheckOptions = {
    now,
    vendor: config.vendor,
    customDomains: config.enableCustomDomains,
    honourActive: config.honourActive,
    cacheMode: config.cacheMode,
    exactPaths: config.httpServerOptions.enablePathSuffixMatching,
    strict: config.strict,
    sharedPaths: config.dashboard.sharedPaths,
    ports: portRulesOf(config),
    clientAddresses: clientAddressesOf(config),
    undeclaredResponseProcessors: config.undeclaredResponseProcessors,
    scripts: {
      enabled: config.enableJsvm,
      bundles: config.enableBundleDownloader,
      allowsBlobs: !config.disableVirtualPathBlobs,
    },
    secret: makeSecretLookup(environment, config),
    readTemplate: makeReadTemplate(configFolder, config),
  }
  const folder = files.definitions
  if (folder.problem !== undefined) {
    findings.push(folderFinding(loaded, ['app_path'], config.appPath, 'the folder of definitions', folder.problem))
  } else if (folder.files.every(({ file }) => isSidecarName(file))) {
    findings.push(placeNote(makeNote('no-definition', ['app_path']), config.appPath, undefined))
  }
  if (files.isFolder) findings.push(...findForeignFiles(config.appPath))
  const definitions = await checkDefinitions(folder.files, options)
  findings.push(...definitions.findings, ...checkApiPorts(definitions.apis, config))

  const { publicKeyPath } = config
  const isKeyMissing = publicKeyPath !== '' && !existsSync(publicKeyPath)
  if (isKeyMissing) findings.push(missingFileFinding(loaded, ['public_key_path'], publicKeyPath))
  const scriptConfig = isKeyMissing ? { ...config, publicKeyPath: '' } : config
  findings.push(...(await checkScripts(definitions.apis, scriptConfig, configFolder, loaded.file ?? '')))

  const { files: policyFiles, kind, problem } = files.policies
  if (problem !== undefined) findings.push(problem)
  // A policy may name an API whose file is broken. Reporting that API as missing would only repeat the error.
  const mayExist = (id: string) => folder.problem !== undefined || definitions.brokenIds.has(id)
  const policies = checkPolicies(policyFiles, { kind, apis: definitions.apis, mayExist, strict: config.strict })
  findings.push(...policies.findings, ...checkReferences(definitions.apis, policies.ids))
  if (config.seed !== '') findings.push(...checkSeed(config.seed, policies.ids, config.strict))
  const named = [...folder.files, ...policyFiles].map(({ file }) => file)
  const all = [loaded.file ?? '', ...named, config.seed].filter((file) => file !== '')
  const kept = withoutAllowed(findings, config.check.allow ?? [])
  const silenced = loaded.silenced + kept.silenced
  return { ...kept, silenced, apis: definitions.apis.length, policies: policies.ids.size, files: all }
}

/** The definitions and policies to check. */
export interface FilesToCheck {
  readonly definitions: ReturnType<typeof readFolder>
  readonly policies: {
    readonly files: ReturnType<typeof readFolder>['files']
    readonly kind: 'map' | 'folder'
    readonly problem?: Finding
  }
  /** The definitions are all files of a folder, so that files which are not read are reported. */
  readonly isFolder: boolean
}

function filesOf(loaded: LoadedConfig): FilesToCheck {
  const read = readFolder(loaded.config.appPath)
  const definitions = { ...read, files: definitionsOf(read.files) }
  return { definitions, policies: policiesOf(loaded), isFolder: true }
}

function policiesOfFile(file: string, loaded: LoadedConfig): FilesToCheck['policies'] {
  if (file === '') return { kind: 'map', files: [] }
  const problem = 'does not exist'
  if (existsSync(file) || !isLikeOriginal(loaded, problem)) return { kind: 'map', files: [readOne(file)] }
  const path = ['policies', 'policy_record_name']
  return { kind: 'map', files: [], problem: folderFinding(loaded, path, file, 'the file of policies', problem) }
}

function policiesOf(loaded: LoadedConfig): FilesToCheck['policies'] {
  const { policyPath, policyRecordName } = loaded.config.policies
  if (policyPath === '') return policiesOfFile(policyRecordName, loaded)
  const { files, problem } = readFolder(policyPath)
  if (problem === undefined) return { kind: 'folder', files }
  const path = ['policies', 'policy_path']
  return { kind: 'folder', files, problem: folderFinding(loaded, path, policyPath, 'the folder of policies', problem) }
}
