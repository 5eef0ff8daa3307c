/**
 * Reloads the configuration file of a running gateway when it changes: applies what can be applied, and reports the
 * rest. A broken file changes nothing.
 */

import { basename, dirname } from 'node:path'
import { watchFolder } from '@turnpike/adapters/definition-files'
import type { Json } from '@turnpike/core/lib'
import type { Clock, Log } from '@turnpike/core/ports'
import { type Finding, hasErrors } from '../config/finding.ts'
import { compareConfigs, copyKeys, toDocument } from '../config/live-settings.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import type { ApplyConfig } from '../gateway/apply-config.ts'

export interface ConfigReload {
  readonly file: string
  /** Keys that are in effect now. */
  readonly applied: readonly string[]
  /** Keys that differ from the running configuration and need a restart. */
  readonly needRestart: readonly string[]
  /** Errors if the file cannot be used, otherwise warnings that were not reported before. */
  readonly findings: readonly Finding[]
  /** The file cannot be used, so the running configuration stays in service. */
  readonly rejected: boolean
}

export interface ConfigWatch {
  /** The file that was loaded at the start. */
  readonly file: string
  /** The configuration that is in effect, with the names of the file. */
  readonly running: Json
  /** What was reported about the file at the start. */
  readonly findings: readonly Finding[]
  load(): LoadedConfig
  readonly apply: ApplyConfig
  report(reload: ConfigReload): void
}

/** Watches the file. Returns a function that stops watching. */
export async function watchConfig(watch: ConfigWatch, clock: Clock, log: Log): Promise<() => void> {
  const name = basename(watch.file)
  const reload = makeConfigReload(watch)
  return watchFolder({ path: dirname(watch.file), isDocument: (other) => other === name }, clock, () => {
    reload().catch((cause: unknown) => log.error('the reload of the configuration failed', { cause: String(cause) }))
  })
}

/** Returns a function that reloads the file. Reloads run one after another. */
export function makeConfigReload(watch: ConfigWatch): () => Promise<void> {
  let { running } = watch
  let known = new Set(watch.findings.map(textOf))
  let lastResult = ''
  let queue: Promise<void> = Promise.resolve()

  const reloadOnce = async () => {
    const result = await reloadFile()
    const { file: _, applied, ...rest } = result
    // An editor that writes twice, or a change that changes no value, repeats the last result.
    const text = JSON.stringify(rest)
    if (applied.length === 0 && text === lastResult) return
    const { needRestart, findings, rejected } = result
    const isNews = rejected || [applied, needRestart, findings].some(({ length }) => length > 0) || lastResult !== ''
    lastResult = text
    if (isNews) watch.report(result)
  }

  const reloadFile = async (): Promise<ConfigReload> => {
    const loaded = watch.load()
    const { file } = watch
    if (hasErrors(loaded.findings)) {
      const findings = loaded.findings.filter(({ severity }) => severity === 'error')
      return { file, applied: [], needRestart: [], findings, rejected: true }
    }
    const warnings = loaded.findings.filter(({ severity }) => severity === 'warning')
    const findings = warnings.filter((finding) => !known.has(textOf(finding)))
    known = new Set(warnings.map(textOf))
    const next = toDocument(loaded.config)
    const { live, needRestart } = compareConfigs(running, next)
    if (live.length > 0) {
      await watch.apply(next, live)
      running = copyKeys(running, next, live)
    }
    return { file, applied: live, needRestart, findings, rejected: false }
  }

  return () => {
    queue = queue.then(reloadOnce, reloadOnce)
    return queue
  }
}

/** A finding without its position, which an edit elsewhere in the file moves. */
function textOf({ field, reason }: Finding): string {
  return `${field}\n${reason}`
}
