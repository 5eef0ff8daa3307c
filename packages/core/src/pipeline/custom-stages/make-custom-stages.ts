/**
 * The custom stages of a gateway. `prepare` makes the stages of a definition when it is loaded, so that a configuration
 * error keeps the last good version of the API in service. The stages that it made are compiled into the chain.
 */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import { extensionName, extensionOf } from '../../definition/openapi/extension.ts'
import { isJson, memberOf } from '../../lib/json.ts'
import { compileJsonSchema, type Validate } from '../../lib/json-schema/schema-texts.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import { type JsonPath, nearestName } from '../../lib/shape/shape.ts'
import type { Log, LogFields } from '../../ports/log.ts'
import type { StageServices } from '../contract/stage-services.ts'
import type { StagePlugins } from '../place-stages.ts'
import { pluginsOf } from './adapt-custom-stages.ts'
import { findStageProblem } from './check-stages.ts'
import type { CustomStage, StageHandlers } from './custom-stage.ts'

/** Why the stages of a definition cannot be made. */
export interface StageConfigProblem {
  readonly path: JsonPath
  readonly message: string
  readonly isOfSidecar: boolean
}

export interface CustomStages {
  /** Places the stages in the order. */
  readonly plugins: StagePlugins
  /** Makes the stages of a definition, or returns a problem. Returns a promise only if a configuration is validated. */
  prepare(definition: ApiDefinition, services: PrepareServices): Maybe<StageConfigProblem | undefined>
}

type PrepareServices = Pick<StageServices, 'clock' | 'log' | 'fetch' | 'settings'>

/** Throws for invalid stages. */
export function makeCustomStages(stages: readonly CustomStage[]): CustomStages {
  const problem = findStageProblem(stages)
  if (problem !== undefined) throw new TypeError(`stages${problem.place} ${problem.message}`)
  const known = stages.map((stage) => ({ stage, validate: validatorOf(stage) }))
  // By document, because a definition is copied while it is loaded, but its document is not.
  const made = new WeakMap<object, ReadonlyMap<string, StageHandlers>>()
  return {
    plugins: pluginsOf(stages, (api) => made.get(api.document)),
    prepare(definition, services) {
      const configs = stageConfigsOf(definition, services.settings.vendor)
      if (known.length === 0 && configs.value === undefined) return undefined
      const unknown = unknownStage(configs, stages)
      if (unknown !== undefined) return unknown
      return when(validateAll(known, configs), (invalid) => {
        if (invalid !== undefined) return invalid
        const handlers = new Map<string, StageHandlers>()
        made.set(definition.document, handlers)
        return makeHandlers(stages, definition, configs, services, handlers)
      })
    },
  }
}

interface KnownStage {
  readonly stage: CustomStage
  readonly validate: Validate | undefined
}

function validatorOf({ schema }: CustomStage): Validate | undefined {
  if (schema === undefined) return undefined
  const compiled = compileJsonSchema(schema)
  return compiled.problem === undefined ? compiled.validate : undefined
}

function at({ path, isOfSidecar }: StageConfigs, more: JsonPath, message: string): StageConfigProblem {
  return { path: [...path, ...more], message, isOfSidecar }
}

/** A stage can guard the API, so a definition that configures an unknown one is not loaded. */
function unknownStage(configs: StageConfigs, stages: readonly CustomStage[]): StageConfigProblem | undefined {
  if (configs.value === undefined) return undefined
  if (!isJson(configs.value)) return at(configs, [], 'must be an object of configurations by stage name')
  const names = stages.map(({ name }) => name)
  const unknown = Object.keys(configs.value).find((name) => !names.includes(name))
  if (unknown === undefined) return undefined
  const near = nearestName(unknown, names)
  const fix = near === undefined ? 'pass the stage to createGateway({ stages })' : `did you mean "${near}"?`
  return at(configs, [unknown], `is not a stage of this gateway; ${fix}`)
}

/** Validates one after another and returns the first problem. */
function validateAll(
  known: readonly KnownStage[],
  configs: StageConfigs,
  from = 0,
): Maybe<StageConfigProblem | undefined> {
  const one = known[from]
  if (one === undefined) return undefined
  return when(validateOne(one, configs), (problem) => problem ?? validateAll(known, configs, from + 1))
}

function validateOne(
  { stage: { name }, validate }: KnownStage,
  configs: StageConfigs,
): Maybe<StageConfigProblem | undefined> {
  const config = configOf(name, configs)
  if (config === undefined || config === false) return undefined
  if (!isJson(config)) return at(configs, [name], 'must be an object, or false to turn the stage off')
  if (validate === undefined) return undefined
  return when(validate(config), ([first]) => {
    if (first === undefined) return undefined
    return at(configs, [name, ...first.path], first.message)
  })
}

function configOf(name: string, { value }: StageConfigs): unknown {
  return isJson(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** Adds the handlers of each stage that the API needs, by the name of the stage. Returns the first problem. */
function makeHandlers(
  stages: readonly CustomStage[],
  definition: ApiDefinition,
  configs: StageConfigs,
  services: PrepareServices,
  handlers: Map<string, StageHandlers>,
): StageConfigProblem | undefined {
  for (const stage of stages) {
    const config = configOf(stage.name, configs) ?? stage.defaultConfig
    if (config === undefined || config === false) continue
    try {
      const { id, name, orgId, listenPath } = definition
      const log = logOfStage(services.log, { api: id, stage: stage.name })
      const { clock, fetch } = services
      const own = stage.make({ id, name, orgId, listenPath, config, services: { clock, log, fetch } })
      if (own !== null) handlers.set(stage.name, checkedHandlers(own, stage))
    } catch (cause) {
      return at(configs, [stage.name], `cannot be made: ${cause instanceof Error ? cause.message : String(cause)}`)
    }
  }
  return undefined
}

/** Throws if a member is no function, or if no handler can run in the phase of the stage. */
function checkedHandlers(handlers: StageHandlers, { phase }: CustomStage): StageHandlers {
  if (typeof handlers !== 'object') throw new TypeError('make must return an object with request or response, or null')
  const unknown = Object.keys(handlers).find((name) => name !== 'request' && name !== 'response')
  if (unknown !== undefined)
    throw new TypeError(`make returned the member "${unknown}"; the members are request, response`)
  const { request, response } = handlers
  for (const [name, handler] of Object.entries({ request, response })) {
    if (handler !== undefined && typeof handler !== 'function') throw new TypeError(`${name} must be a function`)
  }
  if (phase === '6-shape-response' && request !== undefined) {
    throw new TypeError('a stage of 6-shape-response cannot have request, because the request is over')
  }
  if (request === undefined && response === undefined) throw new TypeError('make returned neither request nor response')
  return handlers
}

/** The configuration of custom stages in a definition. Source: docs/extending.md#configuration-in-definitions. */
interface StageConfigs {
  /** `undefined`: the definition configures no stages. */
  readonly value: unknown
  /** Path of the value in its document. */
  readonly path: JsonPath
  /** The document is the OpenAPI document of the definition, not the definition itself. */
  readonly isOfSidecar: boolean
}

/** The OpenAPI document of a definition has precedence over the definition. */
function stageConfigsOf({ document, oas }: ApiDefinition, vendor: string): StageConfigs {
  const extension = oas === undefined ? undefined : extensionOf(oas, vendor)
  const value = memberOf(extension, 'middleware', 'stages')
  if (value !== undefined && value !== null) {
    return { value, path: [extensionName(vendor), 'middleware', 'stages'], isOfSidecar: true }
  }
  return { value: document.stages ?? undefined, path: ['stages'], isOfSidecar: false }
}

/** The log with fields that every line gets. */
function logOfStage(log: Log, own: LogFields): Log {
  return {
    debug: (message, fields) => log.debug(message, { ...own, ...fields }),
    info: (message, fields) => log.info(message, { ...own, ...fields }),
    warn: (message, fields) => log.warn(message, { ...own, ...fields }),
    error: (message, fields) => log.error(message, { ...own, ...fields }),
  }
}
