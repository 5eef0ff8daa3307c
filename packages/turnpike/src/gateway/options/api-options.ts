/** The options of `defineApi`. */
import type { DefinitionDocument } from '../document-types.ts'

export interface ApiOptions {
  readonly id: string
  /** URL of the upstream. */
  readonly target: string
  /** Default: `/<id>/`. It is stripped from the path that the upstream receives. */
  readonly listenPath?: string
  /** Default: none. */
  readonly orgId?: string
  /** Accepts requests without a key. Default: false; the gateway reads the key from the header `Authorization`. */
  readonly open?: boolean
  /** Configurations of custom stages, by the name of the stage; `false` turns a stage off. Default: none. */
  readonly stages?: Readonly<Record<string, object | false>>
  /** Further fields of the definition. They override the generated ones. */
  readonly more?: Partial<DefinitionDocument>
}
