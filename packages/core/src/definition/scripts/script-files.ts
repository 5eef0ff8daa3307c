/** Reads the sources of scripts. Implemented over the file system; tests use a map. */
import type { CustomMiddleware } from '../classic.ts'

export interface ScriptFiles {
  /** The text of a file; `undefined`: it cannot be read. */
  read(path: string): Promise<string | undefined>
  /** Names of the files in a folder, sorted; none if there is no such folder. */
  list(folder: string): Promise<readonly string[]>
  /** Fetches and unpacks a bundle, or finds it unpacked. */
  bundle(name: string): Promise<ScriptBundle>
}

/** Settings of the gateway for reading scripts. */
export interface ScriptOptions {
  readonly enabled: boolean
  /** Whether sources inside of definitions are read. */
  readonly allowsBlobs: boolean
  /** Path of a source that is read first into every scope; empty: none. */
  readonly commonFile: string
  /** Folder of scripts by API id. */
  readonly folder: string
}

export type ScriptBundle =
  | { readonly kind: 'bundle'; readonly folder: string; readonly scripts: CustomMiddleware }
  /** The gateway is not configured to load bundles. */
  | { readonly kind: 'disabled' }
  | { readonly kind: 'failed'; readonly problem: string }
