import type { ConfigDocument } from './document-types.ts'

/** Returns the given configuration. Editors offer its keys, and a misspelt key does not compile. */
export function defineConfig(config: ConfigDocument): ConfigDocument {
  return config
}
