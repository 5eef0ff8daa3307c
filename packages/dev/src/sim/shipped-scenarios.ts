/** The scenarios that are part of this package: YAML files in its folder `scenarios`. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse as parseYaml } from 'yaml'

const folder = fileURLToPath(new URL('../../scenarios/', import.meta.url))

/** Returns their names, sorted. */
export function scenarioNames(): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => basename(file, '.yaml'))
    .sort()
}

/** Returns the data of a scenario, one of `scenarioNames()`. */
export function readShippedScenario(name: string): unknown {
  return parseYaml(readFileSync(`${folder}${name}.yaml`, 'utf8'))
}

/** Lines for `--list-scenarios`: each scenario with what one sees. */
export function scenarioLines(): string[] {
  return scenarioNames().flatMap((name) => {
    const { about = '' } = readShippedScenario(name) as { readonly about?: string }
    return [name, `  ${about}`]
  })
}
