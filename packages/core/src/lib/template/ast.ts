/** The syntax tree of a template. Every node has its source position, for the error messages of `render`. */

/** Index in the source. Line and column are computed only for error messages. */
export type Place = number

export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'action'; readonly pipe: Pipe }
  | {
      readonly kind: 'if' | 'with'
      /** `else if` and `else with` continue the list: later conditions can use the variables of earlier ones. */
      readonly branches: readonly { readonly pipe: Pipe; readonly body: readonly Node[] }[]
      readonly otherwise: readonly Node[] | undefined
    }
  | {
      readonly kind: 'range'
      readonly pipe: Pipe
      readonly body: readonly Node[]
      readonly otherwise: readonly Node[] | undefined
    }
  | { readonly kind: 'template'; readonly name: string; readonly pipe: Pipe | undefined; readonly at: Place }
  | { readonly kind: 'break' | 'continue' }

/** Commands joined by `|`; the result may be assigned to variables. */
export interface Pipe {
  readonly at: Place
  /** Variable names without their dollar sign; only `range` has two. */
  readonly variables: readonly string[]
  /** `=` instead of `:=`: assigns to existing variables. */
  readonly assigns: boolean
  readonly commands: readonly Command[]
}

/** A function with its arguments, or one operand alone. */
export interface Command {
  readonly at: Place
  readonly operands: readonly Operand[]
}

export type Operand =
  | { readonly kind: 'dot' | 'nil'; readonly at: Place }
  | { readonly kind: 'constant'; readonly value: string | number | bigint | boolean; readonly at: Place }
  | { readonly kind: 'field'; readonly names: readonly string[]; readonly at: Place }
  | { readonly kind: 'variable'; readonly name: string; readonly names: readonly string[]; readonly at: Place }
  | { readonly kind: 'function'; readonly name: string; readonly at: Place }
  | { readonly kind: 'pipe'; readonly pipe: Pipe; readonly names: readonly string[]; readonly at: Place }
