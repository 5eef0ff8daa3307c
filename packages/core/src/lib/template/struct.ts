/** Values with members that are not maps: times and versions. */

/** A member that takes arguments: `(semver "1.2.3").Compare`. Without arguments it is called where its value is used. */
export class Method {
  readonly call: (args: readonly unknown[]) => unknown
  constructor(call: (args: readonly unknown[]) => unknown) {
    this.call = call
  }
}

export abstract class Struct {
  /** The name of the type in Go. */
  abstract readonly typeName: string
  /** Members by name; a `Method` if the member takes arguments. */
  abstract readonly members: Readonly<Record<string, () => unknown>>
  /** Printed by an action. */
  abstract text(): string
  /** Written into JSON, as a string. */
  abstract jsonText(): string
}
