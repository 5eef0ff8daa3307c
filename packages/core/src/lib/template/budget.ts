/**
 * What one rendering may cost. Templates are the operator's, the data is anybody's: a loop over a client's list, or a
 * text doubled in a loop, must not stop the gateway. Work is counted where it is done, in units of about the cost of
 * one character; over the limit the rendering ends with a fault.
 */
import { TemplateError } from './template-problem.ts'

export interface Limits {
  /** Units of work. Default 2^28: about a second. */
  readonly work: number
  /** Characters of output. Default 64 Mi. */
  readonly output: number
  /** Templates and blocks entered and not left. Default 300: the stack of the smallest runtime bears it. */
  readonly depth: number
}

export const defaultLimits: Limits = { work: 2 ** 28, output: 2 ** 26, depth: 300 }

/** Cost of an action, a call or a turn of a loop. */
const stepCost = 128

export class Budget {
  readonly limits: Limits
  private left: number
  private depth = 0

  constructor(limits: Limits) {
    this.limits = limits
    this.left = limits.work
  }

  /** Pays for one step. */
  step(): void {
    this.spend(stepCost)
  }

  /** Pays for work that grows with its input. Call it before the work is done. */
  spend(units: number): void {
    this.left -= units
    if (!(this.left >= 0)) throw new TemplateError('the template does too much work')
  }

  /** Runs what nests. */
  nested<T>(run: () => T): T {
    if (++this.depth > this.limits.depth) throw new TemplateError('exceeded maximum template depth')
    const result = run()
    this.depth--
    return result
  }
}
