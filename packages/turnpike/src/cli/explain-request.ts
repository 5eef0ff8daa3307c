/** The request that `turnpike explain` sends. */
export interface RequestToExplain {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly dry: boolean
  readonly port?: number
}
