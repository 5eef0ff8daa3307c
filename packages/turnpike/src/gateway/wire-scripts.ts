/** Chooses the runtime of scripts and the folders of their sources. Nothing is loaded while scripts are off. */
import { createPublicKey, type KeyObject } from 'node:crypto'
import { dirname } from 'node:path'
import type { EngineOptions } from '@turnpike/core/engine'
import { configError } from './config-error.ts'
import type { Platform } from './create-platform.ts'
import { readPem } from './read-pem.ts'

type ScriptParts = Pick<Platform, 'config' | 'folder' | 'lifecycle'>

/** Limits of a bundle that is fetched. */
const bundleTimeoutMs = 30_000
const maxBundleBytes = 16 * 1024 * 1024

export async function wireScripts({
  config,
  folder,
  lifecycle,
}: ScriptParts): Promise<Pick<EngineOptions, 'scripts' | 'scriptFiles'>> {
  if (!config.enableJsvm) return {}
  const [{ makeQuickJsScripts }, { makeScriptFiles }, { makeUndiciFetch }] = await Promise.all([
    import('@turnpike/adapters/script-quickjs'),
    import('@turnpike/adapters/script-files'),
    import('@turnpike/upstream/fetch'),
  ])
  const { maxWorkers, memoryMb, stackKb } = config.scripts
  const scripts = makeQuickJsScripts({
    maxWorkers: Math.max(1, maxWorkers),
    memoryBytes: Math.max(1, memoryMb) * 1024 * 1024,
    stackBytes: Math.max(64, stackKb) * 1024,
  })
  lifecycle.onClose(() => scripts.close())
  const fetch = makeUndiciFetch({ timeoutMs: bundleTimeoutMs, maxBytes: maxBundleBytes })
  lifecycle.onClose(() => fetch.close())
  const makeBundles = () => ({
    baseUrl: config.bundleBaseUrl,
    folder: config.middlewarePath,
    insecure: config.bundleInsecureSkipVerify,
    // Only bundles need the key: published samples name one that does not exist.
    publicKey: config.publicKeyPath === '' ? undefined : readPublicKey(config.publicKeyPath),
    fetch,
  })
  const scriptFiles = makeScriptFiles({
    // Definitions of the original gateway name scripts from its working directory, which holds the folder of scripts.
    folders: [process.cwd(), folder, ...(config.middlewarePath === '' ? [] : [dirname(config.middlewarePath)])],
    bundles: config.enableBundleDownloader ? makeBundles() : undefined,
  })
  return { scripts, scriptFiles }
}

/** The key that must have signed bundles. Throws `ConfigError` if the file cannot be read or has no key. */
function readPublicKey(file: string): KeyObject {
  const pem = readPem(file, 'public_key_path')
  try {
    return createPublicKey(pem)
  } catch {
    const problem = `${file} has no public key in PEM form`
    throw configError('public_key_path', problem)
  }
}
