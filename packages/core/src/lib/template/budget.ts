/**
 * Limits the cost of one rendering. Operators write the templates but clients send the data, so a loop over a client's
 * list, or a text doubled in a loop, must not block the gateway. Work is counted in units of about the cost of one
 * character; rendering fails when the limit is exceeded.
 */
import { TemplateError } from './template-problem.ts'

export interface Limits {
  /** Units of work. Default 2^24: about 50 ms, for which a request may block the event loop. */
  readonly work: number
  /** Characters of output. Default 64 Mi. */
  readonly output: number
  /** Maximum nesting of templates and blocks. Default 300, which fits the smallest stack of the supported runtimes. */
  readonly depth: number
}

export const defaultLimits: Limits = { work: 2 ** 24, output: 2 ** 26, depth: 300 }

/** Cost of an action, a call or an iteration of a loop. */
const stepCost = 128

export class Budget {
  readonly limits: Limits
  private left: number
  private depth = 0

  constructor(limits: Limits) {
    this.limits = limits
    this.left = limits.work
  }

  /** Charges one step. */
  step(): void {
    this.spend(stepCost)
  }

  /** Charges work that grows with its input. Call it before doing the work. */
  spend(units: number): void {
    this.left -= units
    if (!(this.left >= 0)) throw new TemplateError('the template does too much work')
  }

  /** Runs nested work and counts its depth. */
  nested<T>(run: () => T): T {
    if (++this.depth > this.limits.depth) throw new TemplateError('exceeded maximum template depth')
    const result = run()
    this.depth--
    return result
  }
}
