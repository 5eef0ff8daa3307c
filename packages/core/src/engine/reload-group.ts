/** Processes of one gateway that reload together, so that all serve the same version at any time. */

export interface ReloadGroup {
  /** Reloads all processes, this one included. Resolves when all have swapped, or dropped what they had prepared. */
  reload(): Promise<void>
  /** `prepare` is called for each reload of the group. Its result is committed if all processes agree, else dropped. */
  join(prepare: () => Promise<PreparedReload>): void
}

/** A reload that has compiled everything and swapped nothing. */
export interface PreparedReload {
  /** Identifies the definitions and policies that would be served. */
  readonly version: string
  /** Why the current version should stay; `undefined`: the next one can serve. */
  readonly problem: string | undefined
  commit(): Promise<unknown>
  /** `reason`: why the current version stays; `undefined`: the reload is prepared again. */
  drop(reason: string | undefined): Promise<void>
}
