/** Chooses the sources of definitions and of policies independently: a folder or documents in memory. */
import { makeDefinitionFiles } from '@turnpike/adapters/definition-files'
import type { DefinitionSource } from '@turnpike/core/definition'
import type { DefinitionStore } from '@turnpike/mgmt-api'
import type { Platform } from './create-platform.ts'
import type { OpenOptions } from './gateway-options.ts'
import { makeMemorySource } from './memory-source.ts'

export interface WiredSource extends DefinitionSource, DefinitionStore {
  /** Calls `onChange` when a file changes; never for documents in memory. Returns a function that stops watching. */
  watch(onChange: () => void): () => void
}

type SourceParts = Pick<Platform, 'config' | 'hasFile' | 'clock'> & {
  readonly options: Pick<OpenOptions, 'definitions' | 'policies' | 'served'>
}

/** `app_path` is the default source of definitions only if the configuration is a file. */
export function wireSource({ options, config, hasFile, clock }: SourceParts): WiredSource {
  const { served } = options
  const definitions = options.definitions ?? (hasFile && served === undefined ? config.appPath : [])
  const { policyPath, policyRecordName } = config.policies
  const policies =
    options.policies ?? (policyPath !== '' ? policyPath : policyRecordName !== '' ? { file: policyRecordName } : {})
  const definitionsInFiles = typeof definitions === 'string'
  const policiesInFiles = typeof policies === 'string' || isFile(policies)

  const memory = makeMemorySource({
    definitions: definitionsInFiles ? [] : definitions,
    policies: policiesInFiles ? {} : policies,
    served,
  })
  if (!definitionsInFiles && !policiesInFiles) return { ...memory, watch: () => () => undefined }

  const files = makeDefinitionFiles({
    appPath: definitionsInFiles ? definitions : undefined,
    policies: !policiesInFiles ? {} : typeof policies === 'string' ? { path: policies } : { recordName: policies.file },
    clock,
  })
  const definitionSide = definitionsInFiles ? files : memory
  const policySide = policiesInFiles ? files : memory
  const { readDefinition, writeDefinition, removeDefinition } = definitionSide
  const { writePolicy, removePolicy } = policySide
  return {
    ...{ readDefinition, writeDefinition, removeDefinition, writePolicy, removePolicy },
    watch: files.watch,
    async read() {
      const fromDefinitions = await definitionSide.read()
      if (definitionSide === policySide) return fromDefinitions
      return { ...fromDefinitions, policies: (await policySide.read()).policies }
    },
  }
}

function isFile(policies: object): policies is { readonly file: string } {
  return 'file' in policies && typeof policies.file === 'string'
}
