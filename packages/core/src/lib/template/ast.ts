/** The parts of a parsed template. Every part knows where it stands, for the messages of `render`. */

/** Place in the source: its index. Line and column are found only when a message needs them. */
export type Place = number

export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'action'; readonly pipe: Pipe }
  | {
      readonly kind: 'if' | 'with'
      /** `else if` and `else with` continue the list: variables of an earlier condition are seen by later ones. */
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

/** Commands joined by `|`, whose value may be given to variables. */
export interface Pipe {
  readonly at: Place
  /** Variables without their dollar sign; two only in `range`. */
  readonly variables: readonly string[]
  /** `=` instead of `:=`: the variables exist already. */
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
