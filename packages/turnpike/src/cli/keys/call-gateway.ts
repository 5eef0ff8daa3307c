/** Calls the management API for `turnpike keys` and prints why a call failed. */

import { defaultSettings } from '@turnpike/core/ports'
import type { Client, Failed, Result } from '../../client/index.ts'
import { toSettings } from '../../config/to-settings.ts'
import type { KeyFacts } from '../../keys/find-key-problems.ts'
import { type ExitCode, exitCodes, type Io } from '../../terminal/io.ts'
import { findGateway, type TargetOptions } from '../management-client.ts'

export interface KeyOptions extends TargetOptions {
  readonly org?: string
  readonly json?: boolean
}

export interface NamedKeyOptions extends KeyOptions {
  readonly hashed?: boolean
}

/** A gateway to call. `report` prints why a call failed and returns the exit code. */
export interface Target {
  readonly client: Client
  /** Settings of the configuration, which describe the gateway unless `--url` names another one. */
  readonly settings: KeyFacts['settings']
  report(failed: Failed): ExitCode
  /** Returns the value of a call, or prints the failure and returns `undefined`. */
  unwrap<T>(result: Result<T>): T | undefined
}

/** Finds the gateway by the options and runs `use` with it. Prints the problems of an invalid configuration. */
export async function withGateway(
  options: KeyOptions,
  io: Io,
  use: (target: Target) => Promise<ExitCode>,
): Promise<ExitCode> {
  const found = findGateway(options, io)
  if ('problems' in found) {
    for (const problem of found.problems) io.err(problem)
    return found.code
  }
  const report = (failed: Failed) => {
    io.err(failureText(failed, options))
    return exitCodes.found
  }
  return use({
    client: found.client,
    settings: options.url === undefined ? toSettings(found.loaded.config).keys : defaultSettings.keys,
    report,
    unwrap(result) {
      if (!result.ok) {
        report(result)
        return undefined
      }
      if (result.warning !== undefined) io.err(`warning: ${result.warning}`)
      return result.value
    },
  })
}

function failureText({ status, message }: Failed, { org }: KeyOptions): string {
  if (status === undefined) return `${message} (start one with: turnpike start)`
  if (status === 403)
    return `403: ${message} (the management key is "secret" of gateway.json; name another with --secret)`
  const hint = status === 404 && org === undefined ? ' (a name of your own wants --org as well)' : ''
  return `${status}: ${message}${hint}`
}

/** Prints a value as JSON with `--json`, otherwise as `text`. An empty text prints nothing. */
export function print(value: unknown, text: string, { json }: KeyOptions, io: Io): ExitCode {
  const shown = json === true ? JSON.stringify(value) : text
  if (shown !== '') io.out(shown)
  return exitCodes.fine
}

/** Query parameters that complete the name of a key. */
export function lookupOf({ org, hashed }: NamedKeyOptions): { org_id?: string; hashed?: string } {
  return { ...(org === undefined ? {} : { org_id: org }), ...(hashed === true ? { hashed: 'true' } : {}) }
}
