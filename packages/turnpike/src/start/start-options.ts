/** Options of `turnpike start`, as the command line gives them. */
export interface StartOptions {
  readonly conf?: string
  readonly port?: number
  readonly workers?: number | 'max'
  readonly dataPath?: string
  readonly watch?: boolean
  readonly requests?: boolean
  readonly debug?: boolean
  readonly httpprofile?: boolean
  readonly quiet?: boolean
  readonly json?: boolean
  /** Upstream of an OpenAPI document on the command line. */
  readonly target?: string
  /** Responds with the examples of an OpenAPI document on the command line. */
  readonly mock?: boolean
}
