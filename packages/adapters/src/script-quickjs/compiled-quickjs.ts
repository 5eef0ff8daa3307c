/** The WebAssembly module of QuickJS, compiled once per process outside of the event loop. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { workerFile } from '../worker-file/worker-file.ts'

/** The part of the standard that the Node types for this version lack. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> }

let compiled: Promise<object> | undefined

export function compiledQuickJs(): Promise<object> {
  compiled ??= readFile(
    createRequire(workerFile('script-worker')).resolve('@jitl/quickjs-wasmfile-release-sync/wasm'),
  ).then((bytes) => WebAssembly.compile(bytes))
  return compiled
}
