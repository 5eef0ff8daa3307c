/** Checks the options of `createGateway` before anything is opened. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ReloadReport } from '@turnpike/core/engine'
import { isJson, readShape } from '@turnpike/core/lib'
import { findStageProblem } from '@turnpike/core/pipeline'
import { readPolicy } from '@turnpike/core/session'
import { configShape } from '../../config/config-shape.ts'
import type { GatewayOptions } from '../gateway-options.ts'
import { checkDefinitionList } from './check-definition-list.ts'
import { OptionError, shown } from './option-error.ts'
import { isBoolean, isText, type OptionCheck, oneOfOr, readOptions } from './read-options.ts'

const isEndpointList: OptionCheck = (value) =>
  Array.isArray(value) && value.every((one) => isJson(one) && isFunction(one.paths) && isFunction(one.make))
    ? undefined
    : 'a list of endpoints with paths and make'

const isEnvironment: OptionCheck = (value) =>
  isJson(value) && Object.values(value).every((one) => one === undefined || typeof one === 'string')
    ? undefined
    : 'an object of texts, such as process.env'

const checks: Readonly<Record<keyof GatewayOptions, OptionCheck>> = {
  config: (value) =>
    isJson(value) || isText(value) === undefined ? undefined : 'the path of a configuration file, or an object',
  definitions: (value) =>
    Array.isArray(value) || isFunction(value) || isText(value) === undefined
      ? undefined
      : 'a list of definitions, the path of a folder, or a function that returns a list',
  policies: (value) =>
    isJson(value) || isFunction(value) || isText(value) === undefined
      ? undefined
      : 'an object of policies by id, the path of a folder, or a function that returns such an object',
  store: oneOfOr(['memory', 'lmdb', 'redis'], 'a store', [
    ...['sessions', 'organisations', 'counters', 'responses', 'records', 'check', 'close'],
  ]),
  clock: oneOfOr([], 'a clock', ['now', 'after', 'breathe']),
  upstream: oneOfOr([], 'an upstream client', ['connect', 'close']),
  log: oneOfOr(['silent'], 'a logger', ['debug', 'info', 'warn', 'error']),
  stages: (value) => (Array.isArray(value) ? undefined : 'a list of stages'),
  endpoints: isEndpointList,
  ids: oneOfOr([], 'a source of ids', ['uuid']),
  passwords: oneOfOr([], 'a password hasher', ['hash', 'matches']),
  frontEnd: oneOfOr(['auto', 'http1', 'uws', 'node'], 'a front end', ['listen']),
  vendor: isText,
  observeRequests: isBoolean,
  environment: isEnvironment,
}

/** Throws an `OptionError` that names the option, the value and the fix. */
export function checkGatewayOptions(options: unknown): asserts options is GatewayOptions {
  readOptions('createGateway', options, checks)
  const { config, definitions, policies, stages = [] } = options as GatewayOptions
  checkStages(stages)
  if (isJson(config)) checkConfigKeys(config)
  if (typeof config === 'string') {
    checkPath('config', config, 'file', 'correct the path, or create it with "turnpike init"')
  }
  for (const [option, folder] of Object.entries({ definitions, policies })) {
    if (typeof folder === 'string') checkPath(option, folder, 'folder', 'create it or correct the path')
  }
  if (!Array.isArray(definitions)) return
  if (definitions.length === 0) {
    throw new OptionError(
      'definitions',
      'createGateway: the option "definitions" is an empty list, so no API would be served; add a definition, pass a function if the list changes, or leave the option out',
    )
  }
  checkDefinitionList(definitions, 'definitions')
}

function checkStages(stages: readonly unknown[]): void {
  const problem = findStageProblem(stages)
  if (problem === undefined) return
  const option = `stages${problem.place}`
  throw new OptionError(option, `createGateway: ${option} ${problem.message}`)
}

/** In a file an unknown key is a warning, because the file may be shared with other gateways. */
function checkConfigKeys(config: Readonly<Record<string, unknown>>): void {
  const unknown = readShape(configShape, structuredClone(config)).problems.find(({ kind }) => kind === 'unknown')
  if (unknown === undefined) return
  const option = ['config', ...unknown.path].join('.')
  const fix =
    unknown.suggestion === undefined
      ? 'docs/reference/configuration.md lists the keys'
      : `did you mean "${unknown.suggestion}"?`
  throw new OptionError(option, `createGateway: ${option} is not a configuration key; ${fix}`)
}

function checkPath(option: string, given: string, kind: 'file' | 'folder', fix: string): void {
  const path = resolve(given)
  const found = statSync(path, { throwIfNoEntry: false })
  if (kind === 'file' ? found?.isFile() : found?.isDirectory()) return
  const problem = found === undefined ? `does not exist; ${fix}` : `is not a ${kind}`
  throw new OptionError(option, `createGateway: the option "${option}" is the ${kind} ${shown(path)}, which ${problem}`)
}

/**
 * Throws if a document that the program passed itself cannot be loaded. Documents of folders and functions can change,
 * so the gateway only logs and reports their problems.
 */
export function rejectBrokenDocuments({ definitions, policies }: GatewayOptions, report: ReloadReport): void {
  const [failed] = report.failed
  if (Array.isArray(definitions) && failed !== undefined) {
    const at = definitions.findIndex(({ api_id: id }) => `${id}.json` === failed.source)
    const option = at === -1 ? 'definitions' : `definitions[${at}]`
    throw new OptionError(option, `createGateway: ${option} (${shown(failed.source.slice(0, -5))}): ${failed.reason}`)
  }
  if (!isJson(policies)) return
  // A reload uses a policy of a file without the fields that it cannot read; in a program they are a mistake.
  for (const [id, policy] of Object.entries(policies)) {
    const read = readPolicy(policy)
    if ('problem' in read) throw new OptionError('policies', `createGateway: policies: ${id}.json: ${read.problem}`)
  }
  if (report.policies.problem !== undefined)
    throw new OptionError('policies', `createGateway: policies: ${report.policies.problem}`)
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}
